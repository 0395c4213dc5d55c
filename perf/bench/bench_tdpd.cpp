// Transport DPD beside plain DPD: the fluid of the blood-cell paper (rho = 4, a = 18.75, gamma = 4.5, s = 0.41, kappa =
// 5, s_c = 2), with cutoffs of 1 and 1.58 and none, 1 and 10 solutes (its Figure 8). All of a cutoff have the same list
// and take turns, so that a machine's mood meets all of them; the best turn counts.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "perf/bench/bench_suite.hpp"

namespace mesowarp {
namespace {

constexpr const char* deckText = R"(
[run]
steps = {steps}
timestep = 0.005
precision = "{precision}"
reproducibility = "{reproducibility}"
[box]
size = [{edge}, {edge}, {edge}]
[neighbor]
skin = {skin}
rebuild = "every"
every = {every}
[[population]]
name = "fluid"
species = "F"
count = {particles}
initial = "lattice"
{population}
[[interaction]]
between = "*"
style = "{style}"
a = 18.75
gamma = 4.5
cutoff = {cutoff}
exponent = 0.41
{flux}
{transport}
)";

constexpr double density = 4.0;
constexpr int turns = 3;

input::Deck deckOf(const BenchCase& bench, const BenchPlan& plan, int solutes) {
  std::string names;
  for (int k = 0; k < solutes; ++k) names += fmt::format("{}\"S{}\"", k > 0 ? ", " : "", k);
  const double edge = std::cbrt(static_cast<double>(bench.particles) / density);
  const std::string text = fmt::format(
      deckText, fmt::arg("steps", plan.equilibration + plan.steps + 1), fmt::arg("precision", nameOf(bench.precision)),
      fmt::arg("reproducibility", nameOf(bench.reproducibility)), fmt::arg("edge", fmt::format("{:#.17g}", edge)),
      fmt::arg("skin", fmt::format("{:#.17g}", plan.skin)), fmt::arg("every", plan.every),
      fmt::arg("particles", bench.particles), fmt::arg("cutoff", fmt::format("{:#.17g}", bench.cutoff)),
      fmt::arg("style", solutes > 0 ? "tdpd" : "dpd"), fmt::arg("flux", solutes > 0 ? "kappa = 5.0" : ""),
      fmt::arg("population", solutes > 0 ? "concentration = 1.0" : ""),
      fmt::arg("transport", solutes > 0 ? "[transport]\nsolutes = [" + names + "]" : ""));
  auto result = input::parseDeckText(text, "bench.toml");
  if (!result.ok()) throw InputError(input::format(result.diagnostics.front(), "bench.toml"));
  result.deck.outputs.clear();
  return std::move(result.deck);
}

}  // namespace

nlohmann::json benchTdpd(const BenchPlan& plan) {
  constexpr int numbers[] = {0, 1, 10};
  nlohmann::json records = nlohmann::json::array();
  fmt::print(
      "\ntransport DPD: rho = 4, s = 0.41, kappa = 5, s_c = 2, skin {:g}, list every {} steps; {} steps after {}, "
      "best of {}\n",
      plan.skin, plan.every, plan.steps, plan.equilibration, turns);
  fmt::print("{:>5} {:>9} {:>9} {:>13} {:>8} {:>10} {:>9} {:>8}\n", "r_c", "particles", "precision", "bits", "solutes",
             "M p-st/s", "of plain", "bytes/p");
  for (const BenchCase& bench : plan.cases) {
    double best[3] = {}, bytes[3] = {};
    for (int turn = 0; turn < turns; ++turn)
      for (int k = 0; k < 3; ++k) {
        const input::Deck deck = deckOf(bench, plan, numbers[k]);
        if (const auto reason = whyNot(deck); !reason.empty()) throw InputError(reason);
        const Measured m = measureSteps(deck, plan);
        best[k] = std::max(best[k], static_cast<double>(bench.particles) * static_cast<double>(plan.steps) / m.seconds);
        bytes[k] = m.bytesPerParticle;
      }
    for (int k = 0; k < 3; ++k) {
      fmt::print("{:>5g} {:>9} {:>9} {:>13} {:>8} {:>10.3f} {:>9.3f} {:>8.0f}\n", bench.cutoff, bench.particles,
                 nameOf(bench.precision), nameOf(bench.reproducibility), numbers[k], 1e-6 * best[k], best[k] / best[0],
                 bytes[k]);
      nlohmann::json record = recordOf(bench);
      record["density"] = density, record["solutes"] = numbers[k], record["steps"] = plan.steps;
      record["particle_steps_per_second"] = best[k], record["of_plain"] = best[k] / best[0];
      record["memory_bytes_per_particle"] = bytes[k];
      records.push_back(std::move(record));
    }
    std::fflush(stdout);
  }
  return records;
}

}  // namespace mesowarp
