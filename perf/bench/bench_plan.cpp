#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "perf/bench/bench.hpp"

namespace mesowarp {
namespace {

template <class T>
void requireRange(const char* option, const std::vector<T>& values, double low, double high) {
  for (const T value : values)
    if (!(static_cast<double>(value) >= low && static_cast<double>(value) <= high))
      throw InputError(fmt::format("--{} {}: must be from {} to {}", option, value, low, high));
}

input::Precision precisionOf(const std::string& name) {
  for (const auto precision : {input::Precision::single, input::Precision::mixed, input::Precision::double_})
    if (name == nameOf(precision)) return precision;
  throw InputError("--precision " + name + ": must be single, mixed or double, or several of them with commas between");
}

input::PairNoise noiseOf(const std::string& name) {
  for (const auto noise : {input::PairNoise::tea, input::PairNoise::multiply})
    if (name == nameOf(noise)) return noise;
  throw InputError("--pair-noise " + name + ": must be tea, multiply or tea,multiply");
}

input::Reproducibility reproducibilityOf(const std::string& name) {
  for (const auto level : {input::Reproducibility::deterministic, input::Reproducibility::bitwise})
    if (name == nameOf(level)) return level;
  throw InputError("--reproducibility " + name + ": must be deterministic, bitwise or deterministic,bitwise");
}

void readRebuild(const std::string& text, BenchPlan& plan) {
  if (text == "displacement") {
    plan.rebuild = input::RebuildStyle::displacement;
    return;
  }
  const std::string prefix = "every:";
  int every = 0;
  const char* end = text.data() + text.size();
  if (text.rfind(prefix, 0) == 0) {
    const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, every);
    if (error != std::errc() || stop != end) every = 0;
  }
  if (every < 1 || every > 1000)
    throw InputError("--rebuild " + text + ": must be \"displacement\" or \"every:N\", N from 1 to 1000");
  plan.every = every;
}

void readReorder(const std::vector<std::string>& words, BenchPlan& plan) {
  plan.ordered = plan.shuffled = false;
  for (const auto& word : words) {
    if (word != "on" && word != "off") throw InputError("--reorder " + word + ": must be on, off or on,off");
    (word == "on" ? plan.ordered : plan.shuffled) = true;
  }
}

void readSort(const std::string& word, BenchPlan& plan) {
  for (const SortStyle style : everySortStyle)
    if (word == nameOf(style)) plan.sort = style;
  if (!word.empty() && !plan.sort) throw InputError("--sort " + word + ": must be counting, radix or library");
}

void requireWritable(const std::string& path) {
  if (path.empty()) return;
  const std::filesystem::path file(path), folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder))
    throw InputError("--json " + path + ": there is no folder " + folder.string());
  if (std::filesystem::is_directory(file)) throw InputError("--json " + path + ": is a folder; name a file");
}

constexpr const char* deckText = R"(
[run]
title = "bench"
steps = {steps}
timestep = 0.005
temperature = 1.0
precision = "{precision}"
pair_noise = "{noise}"
reproducibility = "{reproducibility}"
[box]
size = [{edge}, {edge}, {edge}]
[neighbor]
skin = {skin}
{rebuild}
[[population]]
name = "fluid"
species = "F"
count = {particles}
initial = "lattice"
[[interaction]]
between = ["F", "F"]
style = "dpd"
a = 25.0
gamma = 4.5
cutoff = {cutoff}
)";

}  // namespace

BenchPlan planBench(const BenchRequest& request, bool onGpu) {
  BenchPlan plan;
  plan.suite = request.what == "suite" || request.what == "all";
  plan.parts = request.what == "parts" || request.what == "all";
  plan.nbody = request.what == "nbody";
  plan.sums = request.what == "sums";
  plan.tdpd = request.what == "tdpd";
  plan.rbc = request.what == "rbc";
  plan.mpcd = request.what == "mpcd";
  if (!request.scaling.empty() && (plan.parts || plan.nbody || plan.sums) && !plan.suite)
    throw InputError(fmt::format("--scaling is of suite, tdpd, rbc and mpcd, not of {}", request.what));
  const auto choose = [&](auto given, decltype(given) quick, decltype(given) full) {
    return !given.empty() ? given : request.quick ? quick : full;
  };
  const auto densities = plan.tdpd || plan.rbc ? std::vector{4.0} : choose(request.density, {3.0}, {3.0, 6.0, 50.0});
  const auto cutoffs = plan.rbc    ? std::vector{1.0}
                       : plan.tdpd ? choose(request.cutoff, {1.0}, {1.0, 1.5, 1.58})
                                   : choose(request.cutoff, {1.0}, {1.0, 1.5});
  const std::vector<std::int64_t> suspensions{32768, 65536, 131072, 262144},
      withBlood{32768, 65536, 131072, 262144, 2092080};
  const auto particles = choose(request.particles, std::vector<std::int64_t>{plan.rbc ? 32768 : 8192},
                                plan.rbc    ? (onGpu ? withBlood : suspensions)
                                : plan.tdpd ? std::vector<std::int64_t>{onGpu ? 2097152 : 32768}
                                            : std::vector<std::int64_t>{8192, 16384, 65536, 131072, 524288, 2097152});
  for (const auto count : choose(request.particles, {1024, 4096},
                                 onGpu ? std::vector<std::int64_t>{1024, 4096, 16384, 65536, 262144, 1048576}
                                       : std::vector<std::int64_t>{1024, 4096, 16384}))
    plan.bodies.push_back(static_cast<int>(std::min<std::int64_t>(count, 1 << 24)));
  for (const auto& name : choose(request.precision, {"single"}, {"single", "mixed", "double"}))
    plan.bodyPrecisions.push_back(precisionOf(name));
  for (const auto count :
       choose(request.particles, {80000},
              onGpu ? std::vector<std::int64_t>{1250000, 10000000} : std::vector<std::int64_t>{80000, 1250000}))
    plan.solvents.push_back(static_cast<int>(std::min<std::int64_t>(count, 2000000000)));
  plan.sumBodies = request.particles.empty() ? (request.quick ? 4096 : 65536) : plan.bodies.front();
  const auto precisions = choose(request.precision, {"mixed"}, {"mixed"});
  const auto noises = choose(request.pairNoise, {"tea"}, {"tea"});
  const auto levels = choose(request.reproducibility, {"deterministic"}, {"deterministic"});
  requireRange("density", densities, 0.1, 1000.0);
  requireRange("cutoff", cutoffs, 0.1, 10.0);
  requireRange("particles", particles, 64, 2147483647);
  const std::int64_t usual = request.quick ? 100 : onGpu ? 1000 : 300;
  plan.steps = request.steps >= 0 ? request.steps : usual;
  plan.equilibration = request.equilibration >= 0 ? request.equilibration : request.quick || onGpu ? usual : 600;
  requireRange("steps", std::vector{plan.steps}, 1, 1e9);
  requireRange("equilibration", std::vector{plan.equilibration}, 0, 1e9);
  requireRange("skin", std::vector{request.skin}, 0.01, 5.0);
  plan.skin = request.skin;
  readRebuild(request.rebuild, plan);
  readReorder(request.reorder, plan);
  readSort(request.sort, plan);
  requireWritable(request.json);
  plan.repetitions = request.quick ? 3 : 9;
  if (plan.nbody || plan.sums || plan.mpcd) return plan;
  for (const double density : densities)
    for (const double cutoff : cutoffs)
      for (const auto count : particles)
        for (const auto& precision : precisions)
          for (const auto& noise : noises)
            for (const auto& level : levels)
              plan.cases.push_back(
                  {density, cutoff, count, precisionOf(precision), noiseOf(noise), reproducibilityOf(level)});
  return plan;
}

input::Deck benchDeck(const BenchCase& bench, const BenchPlan& plan) {
  const double edge = std::cbrt(static_cast<double>(bench.particles) / bench.density);
  const std::string text = fmt::format(
      deckText, fmt::arg("steps", plan.equilibration + plan.steps + 1), fmt::arg("precision", nameOf(bench.precision)),
      fmt::arg("noise", nameOf(bench.pairNoise)), fmt::arg("reproducibility", nameOf(bench.reproducibility)),
      fmt::arg("skin", fmt::format("{:#.17g}", plan.skin)), fmt::arg("edge", fmt::format("{:#.17g}", edge)),
      fmt::arg("particles", bench.particles),
      fmt::arg("rebuild", plan.rebuild == input::RebuildStyle::every
                              ? fmt::format("rebuild = \"every\"\nevery = {}", plan.every)
                              : "rebuild = \"displacement\""),
      fmt::arg("cutoff", fmt::format("{:#.17g}", bench.cutoff)));
  auto result = input::parseDeckText(text, "bench.toml");
  if (!result.ok()) throw InputError(input::format(result.diagnostics.front(), "bench.toml"));
  result.deck.outputs.clear();
  return std::move(result.deck);
}

}  // namespace mesowarp
