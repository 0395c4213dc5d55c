// Same deck, same bits, twice; and a run that was stopped and resumed has the bits of one that was not.
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "core/error.hpp"
#include "tests/unit/support/test_checkpoints.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp {
namespace {

using input::Precision;
using input::RebuildStyle;
using test::contentOf;
using test::System;

System chainsInFluid(Precision precision, RebuildStyle style, double lambda = 0.5) {
  System system{test::emptyDeck({5.0, 4.0, 3.0}, precision, 0.02, {{"A", 1.0}, {"B", 2.0}}), {}};
  test::addWall(system.deck, 2, input::FaceStyle::bounce_back, input::FaceStyle::bounce_back);
  test::addDpd(system.deck, "*", "*", 25.0, 4.5, 3.0);
  test::addDpd(system.deck, "A", "B", 40.0, 4.5, 3.0, 1.0, 0.5);
  test::addBond(system.deck, input::BondStyle::harmonic, 20.0, 0.5);
  test::addBond(system.deck, input::BondStyle::fene, 5.0, 4.0);
  system.deck.neighbor = {0.4, false, style, 5};
  system.deck.integrator.lambda = lambda;
  test::fill(system, 150, 0.3, 1.0, 6);
  for (int chain = 0; chain < 5; ++chain) {
    for (int b = 0; b < 6; ++b)
      test::place(system, {0.9 * chain + 0.1 * b, 0.6 * b, 0.3 + 0.4 * b}, {0.5, -0.5, 0.0}, b % 2);
    for (int b = 1; b < 6; ++b) {
      const u32 bead = static_cast<u32>(150 + 6 * chain + b);
      system.particles.bonds.push_back({bead, bead - 1, b % 2});
    }
  }
  return system;
}

std::string hashAfter(const System& system, i64 last) {
  const auto engine = system.engine();
  test::advance(*engine, 0, last, {.velocities = true});
  EXPECT_FALSE(engine->failure().has_value()) << *engine->failure();
  return engine->stateHash();
}

class EngineRestart : public testing::TestWithParam<std::tuple<Precision, RebuildStyle>> {
protected:
  System system() const { return chainsInFluid(std::get<0>(GetParam()), std::get<1>(GetParam())); }
};

TEST_P(EngineRestart, SameBitsTwice) { EXPECT_EQ(hashAfter(system(), 100), hashAfter(system(), 100)); }

TEST_P(EngineRestart, SeedStepAndStateChangeTheHash) {
  System other = system(), nudged = system();
  ++other.deck.run.seed;
  nudged.particles.position[10][1] += u64{1} << 40;
  const std::string hash = hashAfter(system(), 50);
  EXPECT_EQ(hash.size(), 32u);
  EXPECT_NE(hash, hashAfter(other, 50));
  EXPECT_NE(hash, hashAfter(nudged, 50));
  EXPECT_NE(hash, hashAfter(system(), 51));
}

// The hash is that of one piece of memory, also where the engine gathers it in several. In single precision a snapshot
// has every bit of the state.
TEST(EngineHash, IsThatOfAllRowsInOrderOfTags) {
  System s{test::emptyDeck({30.0, 30.0, 30.0}, input::Precision::single, 0.01), {}};
  test::addDpd(s.deck, "A", "A", 25.0, 4.5, 3.0);
  test::fill(s, 70001, 0.1, 1.0, 3);
  const auto engine = s.engine();
  test::advance(*engine, 0, 2, test::everything);
  const auto snapshot = engine->snapshot(2);
  struct Row {
    u64 position[3];
    double velocity[3];
  };
  std::vector<Row> rows(70001);
  const Box box = boxOf(s.deck);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double ticks = snapshot.position[3 * i + axis] / box.tick(axis, 32);
      rows[i].position[axis] = static_cast<u64>(std::llround(ticks)) << 32;
      rows[i].velocity[axis] = snapshot.velocity[3 * i + axis];
    }
  const XXH128_hash_t block0 = XXH3_128bits_withSeed(rows.data(), 65536 * sizeof(Row), 0);
  const XXH128_hash_t block1 = XXH3_128bits_withSeed(rows.data() + 65536, (rows.size() - 65536) * sizeof(Row), 1);
  EXPECT_EQ(engine->stateHash(),
            fmt::format("{:016x}{:016x}", block0.high64 + block1.high64, block0.low64 + block1.low64));
}

// What is observed does not change the run.
TEST_P(EngineRestart, ObservationChangesNoBits) {
  const System s = system();
  const auto engine = s.engine();
  for (int k = 0; k <= 60; ++k) test::advance(*engine, k, k, test::everything);
  EXPECT_EQ(engine->stateHash(), hashAfter(s, 60));
}

void expectSameAfterRestart(const System& system, std::initializer_list<i64> stops, i64 last) {
  const std::string unbroken = hashAfter(system, last);
  for (const i64 stop : stops) {
    const auto first = system.engine();
    test::advance(*first, 0, stop - 1);
    first->rebuildIfDue(stop);
    const io::CheckpointContent content = contentOf(*first);
    const ListCounters counters = first->counters();
    const auto second =
        makeEngine(system.deck, system.particles.count(), system.particles.mostBondsOfAParticle()).engine;
    second->restore(content);
    EXPECT_EQ(second->counters().lastRebuild, counters.lastRebuild);
    EXPECT_EQ(second->counters().rebuilds, counters.rebuilds);
    second->advance(stop, {});  // without a rebuild, which was before the checkpoint
    first->advance(stop, {});
    test::advance(*second, stop + 1, last, {.velocities = true});
    EXPECT_EQ(second->stateHash(), unbroken) << "stopped at step " << stop;
    // Writing a checkpoint must not disturb the run that goes on.
    test::advance(*first, stop + 1, last, {.velocities = true});
    EXPECT_EQ(first->stateHash(), unbroken) << "went on after the checkpoint of step " << stop;
    EXPECT_EQ(first->counters().rebuilds, second->counters().rebuilds);
    const auto a = first->snapshot(last), b = second->snapshot(last);
    EXPECT_EQ(a.image, b.image);
    EXPECT_EQ(a.species, b.species);
  }
}

TEST_P(EngineRestart, ResumedRunHasTheSameBits) {
  expectSameAfterRestart(system(), {0, 1, 19, 20, 21, 22, 23, 24, 25, 60}, 80);
}

TEST_P(EngineRestart, ResumedGrootWarrenRunHasTheSameBits) {
  expectSameAfterRestart(chainsInFluid(std::get<0>(GetParam()), std::get<1>(GetParam()), 0.65), {20, 23}, 60);
}

TEST_P(EngineRestart, RefusesACheckpointOfAnotherSystem) {
  const System s = system();
  const auto engine = s.engine();
  test::advance(*engine, 0, 1);
  engine->rebuildIfDue(2);
  io::CheckpointContent content = contentOf(*engine);
  const auto other = makeEngine(s.deck, s.particles.count() + 1, s.particles.mostBondsOfAParticle()).engine;
  EXPECT_THROW(other->restore(content), InputError);
  content.arrays.erase("velocity");
  const auto same = makeEngine(s.deck, s.particles.count(), s.particles.mostBondsOfAParticle()).engine;
  EXPECT_THROW(same->restore(content), InputError);
}

INSTANTIATE_TEST_SUITE_P(Modes, EngineRestart,
                         testing::Combine(testing::ValuesIn(test::allPrecisions),
                                          testing::Values(RebuildStyle::every, RebuildStyle::displacement)),
                         [](const auto& instance) {
                           return test::titleOf(std::get<0>(instance.param)) +
                                  (std::get<1>(instance.param) == RebuildStyle::every ? "Every" : "Displacement");
                         });

}  // namespace
}  // namespace mesowarp
