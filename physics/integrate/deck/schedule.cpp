#include "physics/integrate/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/species.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/integrate/box_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/pair/conservative_keys.hpp"

namespace mesowarp {
namespace {

std::vector<std::string> partsOf(const std::string& key) {
  std::vector<std::string> parts{""};
  for (const char c : key)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// The element that a word numbers, from 0; null: none.
template <class T>
T* element(std::vector<T>& list, const std::string& word) {
  if (word.empty() || word.size() > 6 || word.find_first_not_of("0123456789") != std::string::npos) return nullptr;
  const auto k = static_cast<std::size_t>(std::stoul(word));
  return k < list.size() ? &list[k] : nullptr;
}

double* numberOf(input::Interaction& i, const std::string& key) {
  const bool dpd = input::isDpd(i), lj = i.style == input::InteractionStyle::lj ||
                                         i.style == input::InteractionStyle::wca ||
                                         i.style == input::FurtherStyle::morse;
  if (key == "a" && dpd) return &i.a;
  if (key == "gamma" && input::hasDpdNoise(i)) return &i.gamma;
  if (key == "epsilon" && lj) return &i.epsilon;
  if (key == "amplitude" && i.style == input::FurtherStyle::soft) return &i.own.get<SoftKeys>().amplitude;
  return nullptr;
}

double* numberOf(input::Bond& bond, const std::string& key) {
  if (key == "k") return &bond.k;
  return key == "r0" && bond.style == input::BondStyle::harmonic ? &bond.r0 : nullptr;
}

double* numberOf(group::PullKeys& pull, const std::string& key) {
  if (key == "k" && pull.isSpring()) return &pull.k;
  if (key == "r0" && pull.isSpring()) return &pull.r0;
  return nullptr;
}
// A component of one.
double* numberOf(group::PullKeys& pull, const std::string& key, const std::string& axis) {
  using group::PullStyle;
  if (axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z') return nullptr;
  const auto a = static_cast<std::size_t>(axis[0] - 'x');
  if (key == "force" && (pull.style == PullStyle::force || pull.style == PullStyle::each)) return &pull.force[a];
  return key == "acceleration" && pull.style == PullStyle::acceleration ? &pull.acceleration[a] : nullptr;
}

std::vector<input::OwnItem>& thermostats(input::Deck& deck) { return deck.lists[ThermostatKeys::block]; }

}  // namespace

double ScheduleKeys::at(std::int64_t step) const {
  const auto x = static_cast<double>(step);
  const auto above = std::upper_bound(steps.begin(), steps.end(), x);
  if (above == steps.begin()) return values.front();
  const auto k = static_cast<std::size_t>(above - steps.begin()) - 1;
  if (above == steps.end() || style == 1) return values[k];
  return values[k] + (x - steps[k]) / (steps[k + 1] - steps[k]) * (values[k + 1] - values[k]);
}

std::vector<ScheduleKeys> schedulesOf(const input::Deck& deck) {
  std::vector<ScheduleKeys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, ScheduleKeys::block))
    all.push_back(item.own.get<ScheduleKeys>());
  return all;
}

std::string scheduledKeys() {
  return "run.temperature, interaction.N.a, .gamma, .epsilon or .amplitude (as the style has them), bond.N.k or .r0, "
         "drive.N.acceleration.x, .y or .z, thermostat.N.temperature, .friction or .rate, pull.N.force.x, .y or .z, "
         "pull.N.acceleration.x, .y or .z, pull.N.k or .r0 (as the style has them), barostat.pressure or .tension; N "
         "is a block's number, from 0";
}

ScheduledNumber scheduledNumber(input::Deck& deck, const std::string& key) {
  const auto parts = partsOf(key);
  if (key == "run.temperature") return {&deck.run.temperature, Scheduled::temperature};
  if (auto& barostat = deck.own.get<BarostatKeys>(); barostat.on) {  // the barostat looks by itself
    if (key == "barostat.pressure") return {&barostat.pressure, Scheduled::thermostat};
    if (key == "barostat.tension") return {&barostat.tension, Scheduled::thermostat};
  }
  if (parts.size() == 3 && parts[0] == "interaction") {
    auto* interaction = element(deck.interactions, parts[1]);
    if (double* number = interaction ? numberOf(*interaction, parts[2]) : nullptr)
      return {number, Scheduled::interaction};
  }
  if (parts.size() == 3 && parts[0] == "bond") {
    auto* bond = element(deck.bonds, parts[1]);
    if (double* number = bond ? numberOf(*bond, parts[2]) : nullptr) return {number, Scheduled::interaction};
  }
  if (parts.size() == 3 && parts[0] == "thermostat")
    if (auto* item = element(thermostats(deck), parts[1])) {
      auto& keys = item->own.get<ThermostatKeys>();
      if (parts[2] == "temperature") return {&keys.temperature, Scheduled::thermostat};
      if (parts[2] == "friction" && !keys.ofPairs()) return {&keys.friction, Scheduled::thermostat};
      if (parts[2] == "rate" && keys.ofPairs()) return {&keys.rate, Scheduled::thermostat};
    }
  if ((parts.size() == 3 || parts.size() == 4) && parts[0] == "pull")
    if (auto* item = element(deck.lists[group::PullKeys::block], parts[1])) {
      auto& keys = item->own.get<group::PullKeys>();
      double* number = parts.size() == 3 ? numberOf(keys, parts[2]) : numberOf(keys, parts[2], parts[3]);
      if (number) return {number, Scheduled::pull};
    }
  if (parts.size() == 4 && parts[0] == "drive" && parts[2] == "acceleration" && parts[3].size() == 1)
    if (auto* drive = element(deck.drives, parts[1]); drive && parts[3] >= "x" && parts[3] <= "z")
      return {&drive->acceleration[static_cast<std::size_t>(parts[3][0] - 'x')], Scheduled::drive};
  return {};
}

Schedule::Schedule(const input::Deck& deck) : deck_(deck), all_(schedulesOf(deck)) {
  for (const ScheduleKeys& keys : all_) kinds_.push_back(scheduledNumber(deck_, keys.key).kind);
  auto& baths = thermostats(deck_);
  for (std::size_t k = 0; k < baths.size(); ++k) {
    const bool own = std::any_of(all_.begin(), all_.end(), [&](const ScheduleKeys& keys) {
      return keys.key == fmt::format("thermostat.{}.temperature", k);
    });
    if (!own && baths[k].own.get<ThermostatKeys>().temperature == deck.run.temperature) followers_.push_back(k);
  }
}

std::shared_ptr<Schedule> Schedule::of(const input::Deck& deck) {
  if (input::itemsOf(deck, ScheduleKeys::block).empty()) return nullptr;
  return std::shared_ptr<Schedule>(new Schedule(deck));
}

const input::Deck& Schedule::at(std::int64_t step) {
  if (step == step_) return deck_;
  step_ = step;
  for (const ScheduleKeys& keys : all_) *scheduledNumber(deck_, keys.key).number = keys.at(step);
  if (changes(Scheduled::interaction) || changes(Scheduled::temperature))
    for (auto& interaction : deck_.interactions)
      if (input::hasDpdNoise(interaction))
        interaction.sigma = std::sqrt(2.0 * interaction.gamma * deck_.run.temperature);
  if (changes(Scheduled::temperature))
    for (const std::size_t k : followers_)
      thermostats(deck_)[k].own.get<ThermostatKeys>().temperature = deck_.run.temperature;
  return deck_;
}

std::vector<std::pair<std::string, double>> Schedule::values(std::int64_t step) const {
  std::vector<std::pair<std::string, double>> all;
  for (const ScheduleKeys& keys : all_) all.emplace_back(keys.name, keys.at(step));
  return all;
}

}  // namespace mesowarp
