// Chains in a collision solvent beside their Langevin dynamics in an empty box: section 4.3 and Figure 10 of the MPCD
// paper. Chains of 50 beads, WCA and FENE, in steps of 0.002; a collision every 50; buffer radius 0.4. The friction of
// the Langevin runs gives a chain the diffusion of Zimm's model in the solvent, D = 0.196 k_BT / (eta b N^0.588), by
// Rouse's, D = k_BT / (N m gamma): m gamma = 8.8. It acts every 10 steps, so that nine of ten stay one kernel.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "perf/bench/bench_suite.hpp"
#include "perf/bench/timing.hpp"
#include "physics/methods.hpp"

namespace mesowarp {
namespace {

constexpr int beads = 50, between = 50;  // beads of a chain; steps between collisions

constexpr const char* solventLines =
    "[[population]]\nname = \"solvent\"\nkind = \"mpcd\"\ndensity = 10.0\n[collision]\nstyle = \"srd\"\n"
    "thermostat = \"maxwell-boltzmann\"\nevery = 50\nembedded = [\"chains\"]\n";
constexpr const char* langevinLines = "[[thermostat]]\npopulation = \"chains\"\nfriction = 0.88\nevery = 10\n";

input::Deck deckOf(bool solvent, input::Precision precision, int side, int chains) {
  const std::string text = fmt::format(
      "[run]\nsteps = 1000000000\ntimestep = 0.002\nprecision = \"{0}\"\n[box]\nsize = [{1}.0, {1}.0, {1}.0]\n"
      "[neighbor]\nskin = 0.4\n[[population]]\nname = \"chains\"\nkind = \"polymer\"\nblocks = \"{2}\"\ncount = {3}\n"
      "mass = 10.0\nbond_length = 0.97\napart = 0.95\n[[interaction]]\nbetween = \"*\"\nstyle = \"wca\"\n[[bond]]\n"
      "population = \"chains\"\nstyle = \"fene\"\nk = 30.0\nr_max = 1.5\n{4}",
      input::nameOf(precision), side, std::string(beads, 'A'), chains, solvent ? solventLines : langevinLines);
  auto parsed = input::parseDeckText(text, "bench polymer", {});
  if (!parsed.ok()) throw RunError(input::format(parsed.diagnostics.front(), "bench polymer"));
  return std::move(parsed.deck);
}

// Of a step, seconds.
backend::Timing timeOf(const input::Deck& deck, const BenchPlan& plan) {
  const auto engine = engineOfDeck(deck);
  i64 step = 0;
  const auto advance = [&](int steps) {
    for (int k = 0; k < steps; ++k) engine->rebuildIfDue(step), engine->advance(step, {}), ++step;
  };
  advance(20 * between + 1);
  backend::Timing t = backend::timeRepeated(plan.repetitions, [&] { advance(10 * between); });
  if (const auto failure = engine->failure()) throw RunError(*failure);
  t.median /= 10.0 * between, t.fastest /= 10.0 * between, t.slowest /= 10.0 * between;
  return t;
}

nlohmann::json runCase(input::Precision precision, int side, int chains, const BenchPlan& plan) {
  const backend::Timing solution = timeOf(deckOf(true, precision, side, chains), plan),
                        langevin = timeOf(deckOf(false, precision, side, chains), plan);
  const double ratio = solution.median / langevin.median;
  fmt::print("{:>9} {:>8} {:>10} {:>14.0f} {:>14.0f} {:>8.2f}\n", nameOf(precision), chains, chains * beads,
             1.0 / solution.median, 1.0 / langevin.median, ratio);
  std::fflush(stdout);
  return {{"precision", nameOf(precision)},
          {"chains", chains},
          {"beads", chains * beads},
          {"solvent", 10.0 * std::pow(side, 3)},
          {"status", "done"},
          {"steps_per_second", 1.0 / solution.median},
          {"slowest_steps_per_second", 1.0 / solution.slowest},
          {"langevin_steps_per_second", 1.0 / langevin.median},
          {"time_to_langevin", ratio}};
}

}  // namespace

// 16 to 1024 chains in the paper's 1.25 million; as many a volume where the plan's smallest solvent is smaller.
nlohmann::json benchPolymer(const BenchPlan& plan) {
  int solvent = 1250000;
  for (const int particles : plan.solvents) solvent = std::min(solvent, particles);
  const int side = static_cast<int>(std::lround(std::cbrt(0.1 * solvent)));
  fmt::print("\nChains of 50 in {:.3g} solvent particles, steps of 0.002, a collision every 50; beside them Langevin "
             "dynamics of the same chains\n",
             10.0 * std::pow(side, 3));
  fmt::print("{:>9} {:>8} {:>10} {:>14} {:>14} {:>8}\n", "precision", "chains", "beads", "steps/s", "Langevin", "time");
  nlohmann::json records = nlohmann::json::array();
  for (const input::Precision precision : plan.bodyPrecisions)
    for (const int chains : {16, 64, 256, 1024}) {
      const int fit = static_cast<int>(std::lround(chains * std::pow(side / 50.0, 3)));
      if (fit > 0) records.push_back(runCase(precision, side, fit, plan));
    }
  return records;
}

}  // namespace mesowarp
