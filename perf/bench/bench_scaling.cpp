#include "perf/bench/bench_scaling.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "perf/bench/bench_groups.hpp"
#include "perf/bench/bench_suite.hpp"
#include "run/recorders/thermo.hpp"

namespace mesowarp {
namespace {

// Seconds on the slowest of the group.
std::optional<Measured> stepsOfGroup(const comm::Communicator& ranks, int group, const input::Deck& deck,
                                     const BenchPlan& plan) {
  return inGroup<Measured>(ranks, group, [&](const comm::Communicator& members) {
    Measured measured = measureSteps(deck, plan, &members);
    measured.seconds = slowest(members, measured.seconds);
    return measured;
  });
}

// The case on so many ranks. Weak: its cubic box once for each (MPCD paper, Figure 7).
input::Deck deckOn(int count, const BenchCase& bench, const BenchPlan& plan, bool weak) {
  input::Deck deck = benchDeck(bench, plan);
  if (!weak) return deck;
  const auto copies = sideBySide(count);
  for (int axis = 0; axis < 3; ++axis) deck.box.size[axis] *= copies[axis];
  deck.populations.at(0).count *= count;
  return deck;
}

}  // namespace

nlohmann::json runScaling(const BenchPlan& plan, const comm::Communicator& ranks, bool weak) {
  nlohmann::json records = nlohmann::json::array();
  if (ranks.root())
    fmt::print("\n{} scaling, {} steps after {}; efficiency: against the first rank alone, and against the slowest of "
               "all ranks, each alone at the same time\n{:>7} {:>4} {:>11} {:>9} {:>6} {:>9} {:>10} {:>10} {:>10} "
               "{:>10} {:>10} {:>10} {:>9}\n",
               weak ? "weak" : "strong", plan.steps, plan.equilibration, "density", "r_c", "particles", "precision",
               "ranks", "transport", "M p-st/s", "ms/step", "efficiency", "of slowest", "ghosts/p", "migrated/s", "T");
  for (const BenchCase& bench : plan.cases) {
    double alone = 0.0;
    const auto eachAlone = stepsOfGroup(ranks, ranks.rank(), benchDeck(bench, plan), plan);
    const double slowestAlone = slowest(ranks, eachAlone->seconds);
    for (const int count : rankNumbers(ranks.size())) {
      BenchCase whole = bench;
      if (weak) whole.particles *= count;
      const int group = ranks.rank() < count ? 0 : noGroup;
      const auto measured =
          ranks.size() == 1 ? eachAlone : stepsOfGroup(ranks, group, deckOn(count, bench, plan, weak), plan);
      if (!ranks.root()) continue;
      if (count == 1) alone = measured->seconds;
      const double particles = static_cast<double>(whole.particles), steps = static_cast<double>(plan.steps);
      const double share = measured->seconds * (weak ? 1.0 : count), efficiency = alone / share,
                   ofSlowest = slowestAlone / share;
      const double temperature = blockAverage(measured->series.temperature).first;
      nlohmann::json record = recordOf(whole);
      record.update({{"scaling", weak ? "weak" : "strong"},
                     {"ranks", count},
                     {"transport", measured->transport},
                     {"seconds", measured->seconds},
                     {"steps", plan.steps},
                     {"particle_steps_per_second", particles * steps / measured->seconds},
                     {"efficiency", efficiency},
                     {"efficiency_of_slowest", ofSlowest},
                     {"ghosts", measured->counters.ghosts},
                     {"migrated", measured->counters.migrated},
                     {"temperature", temperature},
                     {"dangerous_builds", measured->counters.dangerousBuilds},
                     {"memory_bytes_per_particle", measured->bytesPerParticle}});
      fmt::print("{:>7g} {:>4g} {:>11} {:>9} {:>6} {:>9} {:>10.1f} {:>10.4f} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.0f} "
                 "{:>9.4f}\n",
                 bench.density, bench.cutoff, whole.particles, nameOf(bench.precision), count,
                 count > 1 ? measured->transport : "-", 1e-6 * particles * steps / measured->seconds,
                 1e3 * measured->seconds / steps, efficiency, ofSlowest,
                 static_cast<double>(measured->counters.ghosts) / particles,
                 static_cast<double>(measured->counters.migrated) / measured->seconds, temperature);
      std::fflush(stdout);
      records.push_back(record);
    }
  }
  return records;
}

}  // namespace mesowarp
