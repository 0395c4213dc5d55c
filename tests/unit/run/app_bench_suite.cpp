// A benchmark's steps: they end where asked, wherever the next rebuild is.
#include <gtest/gtest.h>

#include "perf/bench/bench.hpp"
#include "run/simulation.hpp"

namespace mesowarp {
namespace {

// On a GPU the steps between two rebuilds are recorded and launched as one graph; nothing may be left of it when steps
// have been done, or whoever waits for the device next cannot.
TEST(BenchSuite, StepsMayEndBetweenRebuilds) {
  for (const double density : {3.0, 20.0}) {
    const BenchCase bench{density, 1.0, 4000, input::Precision::single};
    BenchPlan plan;
    plan.every = 5, plan.equilibration = 20, plan.steps = 100;
    for (int end = 20; end < 25; ++end) {
      Simulation simulation(benchDeck(bench, plan), {});
      simulation.runSteps(0, end);
      ASSERT_NO_THROW(Kokkos::fence()) << "density " << density << ", step " << end;
      simulation.runSteps(end + 1, end + 7);
      ASSERT_NO_THROW(Kokkos::fence()) << "density " << density << ", step " << end;
      EXPECT_EQ(simulation.engine().counters().rebuilds, (end + 7) / 5 + 1);
      EXPECT_EQ(simulation.engine().counters().dangerousBuilds, 0);
    }
  }
}

}  // namespace
}  // namespace mesowarp
