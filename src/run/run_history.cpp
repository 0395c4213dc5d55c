#include "run/run_history.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace mesowarp {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double speedOf(i64 steps, double particles, double seconds) {
  return seconds > 0.0 ? static_cast<double>(steps) * particles / seconds : std::isnan(seconds) ? unknown : 0.0;
}

nlohmann::json jsonOf(const RunPart& part) {
  return {{"first_step", part.firstStep}, {"last_step", part.lastStep}, {"steps", part.lastStep - part.firstStep},
          {"wall_s", part.seconds},       {"ranks", part.ranks},        {"threads", part.threads},
          {"device", part.device}};
}

RunPart partOf(const nlohmann::json& j) {
  RunPart part;
  part.firstStep = j.at("first_step").get<i64>(), part.lastStep = j.at("last_step").get<i64>();
  part.seconds = j.at("wall_s").is_number() ? j.at("wall_s").get<double>() : unknown;
  part.ranks = j.at("ranks").get<int>(), part.threads = j.at("threads").get<int>();
  part.device = j.at("device").get<std::string>();
  return part;
}

}  // namespace

void RunHistory::restore(const io::CheckpointContent& content, i64 step) {
  parts_.clear();
  const auto text = content.texts.find(textOfCheckpoint);
  if (text != content.texts.end()) {
    const auto parts = nlohmann::json::parse(text->second, nullptr, false);
    try {
      for (const auto& part : parts) parts_.push_back(partOf(part));
    } catch (const nlohmann::json::exception&) {
      parts_.clear();
    }
  }
  if (parts_.empty()) parts_.push_back({0, step, unknown, 0, 0, "not known"});
}

double RunHistory::seconds() const { return secondsBefore() + parts_.back().seconds; }

double RunHistory::secondsBefore() const {
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < parts_.size(); ++k) sum += parts_[k].seconds;
  return sum;
}

std::string RunHistory::text() const {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& part : parts_) all.push_back(jsonOf(part));
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void RunHistory::addTo(nlohmann::json& summary, double particles) const {
  summary["first_step"] = firstStep();
  summary["last_step"] = parts_.back().lastStep;
  summary["steps"] = steps();
  summary["wall_s"] = seconds();
  summary["particle_steps_per_second"] = speedOf(steps(), particles, seconds());
  summary["runs"] = nlohmann::json::array();
  for (const auto& part : parts_) {
    auto one = jsonOf(part);
    one["particle_steps_per_second"] = speedOf(part.lastStep - part.firstStep, particles, part.seconds);
    summary["runs"].push_back(one);
  }
}

}  // namespace mesowarp
