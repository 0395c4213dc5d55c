#include "app/bench_scaling.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "app/bench_suite.hpp"
#include "core/error.hpp"

namespace mesowarp {
namespace {

// 1, 2, 4, …, and all.
std::vector<int> rankNumbers(int all) {
  std::vector<int> numbers;
  for (int n = 1; n < all; n *= 2) numbers.push_back(n);
  numbers.push_back(all);
  return numbers;
}

// On the first `count` ranks; the others wait. Seconds on the slowest.
std::optional<Measured> onSome(const comm::Communicator& ranks, int count, const input::Deck& deck, const BenchPlan& plan) {
  MPI_Comm some = MPI_COMM_NULL;
  const bool mine = ranks.rank() < count;
  MPI_Comm_split(ranks.handle(), mine ? 0 : MPI_UNDEFINED, ranks.rank(), &some);
  std::optional<Measured> measured;
  if (mine) {
    {
      const comm::Communicator members(some);
      measured = measureSteps(deck, plan, &members);
      const auto nanoseconds = static_cast<std::int64_t>(1e9 * measured->seconds);
      measured->seconds = 1e-9 * static_cast<double>(members.largest(nanoseconds));
    }
    MPI_Comm_free(&some);
  }
  ranks.barrier();
  return measured;
}

}  // namespace

nlohmann::json runScaling(const BenchPlan& plan, const comm::Communicator& ranks, bool weak) {
  nlohmann::json records = nlohmann::json::array();
  if (ranks.root())
    fmt::print("\n{} scaling, {} steps after {}\n{:>7} {:>4} {:>11} {:>9} {:>6} {:>9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}\n",
               weak ? "weak" : "strong", plan.steps, plan.equilibration, "density", "r_c", "particles", "precision", "ranks", "transport",
               "M p-st/s", "ms/step", "efficiency", "ghosts/p", "migrated/s", "T");
  for (const BenchCase& bench : plan.cases) {
    double alone = 0.0;
    for (const int count : rankNumbers(ranks.size())) {
      BenchCase whole = bench;
      if (weak) whole.particles *= count;
      const auto measured = onSome(ranks, count, benchDeck(whole, plan), plan);
      if (!ranks.root()) continue;
      if (count == 1) alone = measured->seconds;
      const double particles = static_cast<double>(whole.particles), steps = static_cast<double>(plan.steps);
      const double efficiency = alone / measured->seconds / (weak ? 1.0 : count);
      const double temperature = blockAverage(measured->series.temperature).first;
      nlohmann::json record = recordOf(whole);
      record.update({{"scaling", weak ? "weak" : "strong"},
                     {"ranks", count},
                     {"transport", measured->transport},
                     {"seconds", measured->seconds},
                     {"steps", plan.steps},
                     {"particle_steps_per_second", particles * steps / measured->seconds},
                     {"efficiency", efficiency},
                     {"ghosts", measured->counters.ghosts},
                     {"migrated", measured->counters.migrated},
                     {"temperature", temperature},
                     {"dangerous_builds", measured->counters.dangerousBuilds},
                     {"memory_bytes_per_particle", measured->bytesPerParticle}});
      fmt::print("{:>7g} {:>4g} {:>11} {:>9} {:>6} {:>9} {:>10.1f} {:>10.4f} {:>10.3f} {:>10.3f} {:>10.0f} {:>9.4f}\n", bench.density,
                 bench.cutoff, whole.particles, nameOf(bench.precision), count, count > 1 ? measured->transport : "-",
                 1e-6 * particles * steps / measured->seconds, 1e3 * measured->seconds / steps, efficiency,
                 static_cast<double>(measured->counters.ghosts) / particles,
                 static_cast<double>(measured->counters.migrated) / measured->seconds, temperature);
      std::fflush(stdout);
      records.push_back(record);
    }
  }
  return records;
}

}  // namespace mesowarp
