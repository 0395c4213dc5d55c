// Transport DPD beside plain DPD: the fluid of the blood-cell paper (rho = 4, a = 18.75, gamma = 4.5, s = 0.41, kappa =
// 5, s_c = 2), with cutoffs of 1, 1.5 and 1.58 and none, 1 and 10 solutes (its Figure 8); periodic, and as many
// particles between two walls of frozen ones, which do not count. All six of a cutoff have the same list, are there at
// the same time, and take turns, so that a machine's mood meets all of them; the best turn counts.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "perf/bench/bench_suite.hpp"

namespace mesowarp {
namespace {

constexpr const char* tdpdText = R"(
[run]
steps = {steps}
timestep = 0.005
precision = "{precision}"
reproducibility = "{reproducibility}"
[box]
size = [{edge}, {edge}, {height}]
[neighbor]
skin = {skin}
rebuild = "every"
every = {every}
[[population]]
name = "fluid"
species = "F"
{particles}
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
{walls}
)";
// A gap that is closed across z; the solid is as thick as forces reach.
constexpr const char* wallText = R"(
[[shape]]
name = "gap"
style = "slab"
axis = "z"
from = {low}
to = {high}
[[wall]]
name = "walls"
solid = "not gap"
friction = 0.2
)";

constexpr double density = 4.0;
constexpr int turns = 3;

input::Deck deckOf(const BenchCase& bench, const BenchPlan& plan, int solutes, bool walls) {
  std::string named;
  for (int k = 0; k < solutes; ++k) named += fmt::format("{}\"S{}\"", k > 0 ? ", " : "", k);
  const double edge = std::cbrt(static_cast<double>(bench.particles) / density), solid = walls ? bench.cutoff : 0.0;
  const auto exact = [](double x) { return fmt::format("{:#.17g}", x); };
  const std::string text = fmt::format(
      tdpdText, fmt::arg("steps", plan.equilibration + plan.steps + 1), fmt::arg("precision", nameOf(bench.precision)),
      fmt::arg("reproducibility", nameOf(bench.reproducibility)), fmt::arg("edge", exact(edge)),
      fmt::arg("height", exact(edge + solid)), fmt::arg("skin", fmt::format("{:#.17g}", plan.skin)),
      fmt::arg("every", plan.every),
      fmt::arg("particles", walls ? "density = " + exact(density)
                                  : fmt::format("count = {}\ninitial = \"lattice\"", bench.particles)),
      fmt::arg("walls", walls ? fmt::format(wallText, fmt::arg("low", exact(0.5 * solid)),
                                            fmt::arg("high", exact(0.5 * solid + edge)))
                              : ""),
      fmt::arg("cutoff", fmt::format("{:#.17g}", bench.cutoff)), fmt::arg("style", solutes > 0 ? "tdpd" : "dpd"),
      fmt::arg("flux", solutes > 0 ? "kappa = 5.0" : ""),
      fmt::arg("population", solutes > 0 ? "concentration = 1.0" : ""),
      fmt::arg("transport", solutes > 0 ? "[transport]\nsolutes = [" + named + "]" : ""));
  auto result = input::parseDeckText(text, "bench.toml");
  if (!result.ok()) throw InputError(input::format(result.diagnostics.front(), "bench.toml"));
  result.deck.outputs.clear();
  return std::move(result.deck);
}

constexpr int numbers[] = {0, 1, 10}, ofSolutes = 3, cases = 2 * ofSolutes;
int solutesOf(int k) { return numbers[k % ofSolutes]; }
bool walled(int k) { return k >= ofSolutes; }

double particleSteps(const BenchCase& bench, const BenchPlan& plan) {
  return static_cast<double>(bench.particles) * static_cast<double>(plan.steps);
}

std::unique_ptr<TimedRun> startOf(const BenchCase& bench, const BenchPlan& plan, int k) {
  const input::Deck deck = deckOf(bench, plan, solutesOf(k), walled(k));
  if (const auto reason = whyNot(deck); !reason.empty())
    throw InputError("beside the other cases of this cutoff: " + reason);
  return std::make_unique<TimedRun>(deck, plan, turns);
}

// Of case k, whose last turn is over, as those of the cases before are.
nlohmann::json reported(const BenchCase& bench, const BenchPlan& plan, TimedRun& run, const double* best, int k) {
  const double rate = best[k], ofPlain = rate / best[walled(k) ? ofSolutes : 0],
               ofPeriodic = rate / best[k % ofSolutes], bytes = run.measured().bytesPerParticle;
  fmt::print("{:>5g} {:>9} {:>9} {:>13} {:>8} {:>5} {:>10.3f} {:>9.3f} {:>11.3f} {:>8.0f} {:>8.2f}\n", bench.cutoff,
             bench.particles, nameOf(bench.precision), nameOf(bench.reproducibility), solutesOf(k),
             walled(k) ? "yes" : "no", 1e-6 * rate, ofPlain, ofPeriodic, bytes, run.startSeconds());
  std::fflush(stdout);
  nlohmann::json record = recordOf(bench);
  record["density"] = density, record["solutes"] = solutesOf(k), record["steps"] = plan.steps;
  record["walls"] = walled(k);
  record["particle_steps_per_second"] = rate, record["of_plain"] = ofPlain, record["of_periodic"] = ofPeriodic;
  record["memory_bytes_per_particle"] = bytes, record["start_seconds"] = run.startSeconds();
  return record;
}

}  // namespace

input::Deck tdpdDeck(const BenchCase& bench, const BenchPlan& plan) { return deckOf(bench, plan, 1, false); }

nlohmann::json benchTdpd(const BenchPlan& plan) {
  nlohmann::json records = nlohmann::json::array();
  fmt::print(
      "\ntransport DPD: rho = 4, s = 0.41, kappa = 5, s_c = 2, skin {:g}, list every {} steps; {} steps after {}, "
      "best of {}; between walls: of the particles that move\n",
      plan.skin, plan.every, plan.steps, plan.equilibration, turns);
  fmt::print("{:>5} {:>9} {:>9} {:>13} {:>8} {:>5} {:>10} {:>9} {:>11} {:>8} {:>8}\n", "r_c", "particles", "precision",
             "bits", "solutes", "walls", "M p-st/s", "of plain", "of periodic", "bytes/p", "start, s");
  for (const BenchCase& bench : plan.cases) {
    std::vector<std::unique_ptr<TimedRun>> runs;  // [walls][solutes]
    for (int k = 0; k < cases; ++k) runs.push_back(startOf(bench, plan, k));
    double best[cases] = {};
    for (int turn = 0; turn < turns; ++turn)
      for (int k = 0; k < cases; ++k) {
        best[k] = std::max(best[k], particleSteps(bench, plan) / runs[static_cast<std::size_t>(k)]->turn());
        if (turn + 1 == turns) records.push_back(reported(bench, plan, *runs[static_cast<std::size_t>(k)], best, k));
      }
  }
  return records;
}

}  // namespace mesowarp
