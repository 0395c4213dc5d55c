#include "perf/bench/bench_scaling.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "input/estimate.hpp"
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

// What a case puts on ranks: the standard fluid, the one with a solute, or suspensions.
std::vector<input::Deck> decksOf(const BenchCase& bench, const BenchPlan& plan) {
  if (plan.rbc) return rbcDecks(bench, plan);
  return {plan.tdpd ? tdpdDeck(bench, plan) : benchDeck(bench, plan)};
}

double volumeOf(const input::Deck& deck) { return deck.box.size[0] * deck.box.size[1] * deck.box.size[2]; }

// The deck on so many ranks. Weak: its box once for each (MPCD paper, Figure 7).
input::Deck deckOn(int count, input::Deck deck, bool weak) {
  if (!weak) return deck;
  const auto copies = sideBySide(count);
  for (int axis = 0; axis < 3; ++axis) deck.box.size[axis] *= copies[axis];
  for (auto& population : deck.populations)
    if (population.count > 0) population.count *= count;
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
  std::vector<std::pair<BenchCase, input::Deck>> cases;
  for (const BenchCase& bench : plan.cases)
    for (input::Deck& deck : decksOf(bench, plan)) cases.emplace_back(bench, std::move(deck));
  for (const auto& [bench, deck] : cases) {
    double alone = 0.0;
    const auto eachAlone = stepsOfGroup(ranks, ranks.rank(), deck, plan);
    const double slowestAlone = slowest(ranks, eachAlone->seconds);
    for (const int count : rankNumbers(ranks.size())) {
      const input::Deck deckHere = deckOn(count, deck, weak);
      BenchCase whole = bench;
      whole.particles = input::estimate(deckHere).particles;
      const int group = ranks.rank() < count ? 0 : noGroup;
      const auto measured = ranks.size() == 1 ? eachAlone : stepsOfGroup(ranks, group, deckHere, plan);
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
      fmt::print("{:>7.3g} {:>4g} {:>11} {:>9} {:>6} {:>9} {:>10.1f} {:>10.4f} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.0f} "
                 "{:>9.4f}\n",
                 particles / volumeOf(deckHere), bench.cutoff, whole.particles, nameOf(bench.precision), count,
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
