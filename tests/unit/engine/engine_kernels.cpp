// Listens through the Kokkos Tools callbacks: every kernel has a label of ours, and a steady step allocates nothing.
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "device/tag_random.hpp"
#include "tests/unit/support/test_listening.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {
namespace {

System fluid(input::Precision precision) {
  System system;
  system.deck = emptyDeck({6.0, 6.0, 6.0}, precision, 0.005);
  addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0);
  system.deck.neighbor.rebuild = input::RebuildStyle::every;
  system.deck.neighbor.every = 5;
  TagRandom random(3, Stream::initialPosition, 0);
  const Box box = boxOf(system.deck);
  for (int i = 0; i < 648; ++i) {
    system.particles.position.push_back({toFixed(box, 0, 6.0 * random.uniform()),
                                         toFixed(box, 1, 6.0 * random.uniform()),
                                         toFixed(box, 2, 6.0 * random.uniform())});
    system.particles.velocity.push_back({random.gaussian(), random.gaussian(), random.gaussian()});
    system.particles.species.push_back(0);
  }
  return system;
}

class EngineKernels : public testing::TestWithParam<input::Precision> {};

TEST_P(EngineKernels, AllHaveLabelsOfOurs) {
  auto engine = fluid(GetParam()).engine();
  {
    Listening listening;
    for (i64 step = 0; step < 12; ++step) {
      engine->rebuildIfDue(step);
      engine->advance(step, {.thermo = step % 4 == 0, .velocities = true, .forces = true});
    }
  }
  ASSERT_GT(heard.kernels.size(), 20u);
  for (const auto& name : heard.kernels) {
    if (name.rfind("Kokkos::", 0) == 0) continue;  // fills and copies of Kokkos' own
    EXPECT_EQ(name.find("mesowarp"), std::string::npos) << "a kernel without a label goes by its type: " << name;
    EXPECT_EQ(name.find_first_of("<>{}"), std::string::npos) << name;
    EXPECT_FALSE(name.empty());
  }
}

TEST_P(EngineKernels, SteadyStepIsOneKernelAndAllocatesNothing) {
  auto engine = fluid(GetParam()).engine();
  for (i64 step = 0; step < 11; ++step) {
    engine->rebuildIfDue(step);
    engine->advance(step, {});
  }
  engine->counters();  // launches steps that are being recorded, which no tool may disturb
  {
    Listening listening;
    for (i64 step = 11; step < 15; ++step) {  // the list was built in step 10
      engine->rebuildIfDue(step);
      engine->advance(step, {});
    }
  }
  EXPECT_EQ(heard.kernels, (std::multiset<std::string>{"pair dpd", "pair dpd", "pair dpd", "pair dpd"}));
  EXPECT_TRUE(heard.allocations.empty()) << *heard.allocations.begin();
}

// Rebuilds too, once their memory is there; and what they give does not depend on how particles are sorted.
TEST_P(EngineKernels, RebuildsAllocateNothingAndSortsAgree) {
  std::set<std::string> hashes;
  for (const SortStyle style : everySortStyle) {
    auto engine = fluid(GetParam()).engine(style);
    advance(*engine, 0, 30);
    engine->counters();  // launches steps that are being recorded, which no tool may disturb
    {
      Listening listening;
      for (i64 step = 31; step <= 60; ++step) {
        engine->rebuildIfDue(step);
        engine->advance(step, {});
      }
    }
    for (const auto& name : heard.allocations) {
      if (style == SortStyle::radix && name == "Kokkos::CudaSpace::TeamScratchMemory")
        continue;                                     // Kokkos' own, each time
      EXPECT_EQ(name, "neighbors") << nameOf(style);  // a table that was too small may grow
    }
    advance(*engine, 61, 61, everything);
    EXPECT_EQ(engine->counters().rebuilds, 13);
    hashes.insert(engine->stateHash());
  }
  EXPECT_EQ(hashes.size(), 1u);
}

// Sub-cells are sorted by where cells hold 16 or more.
TEST_P(EngineKernels, SortsAgreeWhereCellsAreFull) {
  std::set<std::string> hashes;
  for (const SortStyle style : everySortStyle) {
    System dense{emptyDeck({4.0, 4.0, 4.0}, GetParam(), 0.005), {}};
    addDpd(dense.deck, "A", "A", 1.0, 4.5, 3.0);
    dense.deck.neighbor = {0.3, false, input::RebuildStyle::every, 5};
    fill(dense, 1500, 0.3, 1.0, 6);
    auto engine = dense.engine(style);
    advance(*engine, 0, 40, everything);
    hashes.insert(engine->stateHash());
  }
  EXPECT_EQ(hashes.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, EngineKernels, testing::ValuesIn(allPrecisions),
                         [](const auto& of) { return titleOf(of.param); });

}  // namespace
}  // namespace mesowarp::test
