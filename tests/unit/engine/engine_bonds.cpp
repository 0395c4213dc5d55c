// Bonds and exclusions against brute force, in each precision mode.
#include <gtest/gtest.h>

#include "input/grammar/parse.hpp"
#include "tests/unit/support/test_reference.hpp"

namespace mesowarp {
namespace {

using input::BondStyle;
using input::Precision;
using test::System;

class EngineBonds : public testing::TestWithParam<Precision> {
protected:
  // Chains of `beads` along random walks across the box edges, in a fluid of single beads.
  System chains(int molecules, int beads, double length, int singles) const {
    System system{test::emptyDeck({6.0, 5.0, 5.5}, GetParam(), 0.01, {{"A", 1.0}, {"B", 2.0}}), {}};
    test::addDpd(system.deck, "*", "*", 25.0, 4.5, 3.0);
    test::fill(system, singles, 0.4, 1.0, 4);
    test::Uniform uniform(5);
    for (int m = 0; m < molecules; ++m) {
      std::array<double, 3> at{uniform(0, 6), uniform(0, 5), uniform(0, 5.5)};
      for (int b = 0; b < beads; ++b) {
        test::place(system, at, {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}, static_cast<u32>(b % 2));
        const double z = uniform(-1, 1), phi = uniform(0, 2.0 * M_PI), s = std::sqrt(1.0 - z * z),
                     stretch = length * uniform(0.8, 1.2);
        at = {at[0] + stretch * s * std::cos(phi), at[1] + stretch * s * std::sin(phi), at[2] + stretch * z};
      }
    }
    return system;
  }
  static void bond(System& system, int a, int b, int type) {
    system.particles.bonds.push_back({static_cast<u32>(a), static_cast<u32>(b), type});
  }
  static void bondChains(System& system, int first, int molecules, int beads, int types) {
    for (int m = 0; m < molecules; ++m)
      for (int b = 1; b < beads; ++b) bond(system, first + m * beads + b - 1, first + m * beads + b, (m + b) % types);
  }
  void expectReference(const System& system) const {
    const double bound = GetParam() == Precision::single ? 2e-5 : 1e-12;
    const auto engine = system.engine();
    test::advance(*engine, 0, 0, test::everything);
    ASSERT_FALSE(engine->failure().has_value()) << *engine->failure();
    const auto exact = test::ReferenceForces(system.deck)(system.particles, 0);
    const auto snapshot = engine->snapshot(0);
    const double typical = exact.typicalForce();
    for (int i = 0; i < system.particles.count(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        ASSERT_NEAR(snapshot.force[3 * i + axis], static_cast<double>(exact.force[i][axis]), bound * typical)
            << "particle " << i;
    const auto& sums = engine->sums();
    EXPECT_NEAR(sums.potential, static_cast<double>(exact.potential),
                bound * static_cast<double>(exact.potentialScale));
    for (int c = 0; c < 6; ++c)
      EXPECT_NEAR(sums.virial[c], static_cast<double>(exact.virial[c]), bound * static_cast<double>(exact.virialScale));
  }
};

TEST_P(EngineBonds, HarmonicChains) {
  System system = chains(30, 7, 0.5, 200);
  test::addBond(system.deck, BondStyle::harmonic, 100.0, 0.4);
  bondChains(system, 200, 30, 7, 1);
  expectReference(system);
}

TEST_P(EngineBonds, FeneChains) {
  System system = chains(30, 7, 0.5, 200);
  test::addBond(system.deck, BondStyle::fene, 30.0, 1.5);
  bondChains(system, 200, 30, 7, 1);
  expectReference(system);
}

TEST_P(EngineBonds, BranchedWithTwoBondTypes) {
  System system = chains(30, 7, 0.5, 200);
  test::addBond(system.deck, BondStyle::harmonic, 100.0, 0.4);
  test::addBond(system.deck, BondStyle::fene, 30.0, 1.9);
  bondChains(system, 200, 30, 7, 2);
  for (int m = 0; m < 30; m += 2)
    bond(system, 200 + 7 * m, 200 + 7 * m + 2, 0), bond(system, 200 + 7 * m + 1, 200 + 7 * m + 3, 0);
  expectReference(system);
}

TEST_P(EngineBonds, ExcludedNeighboursLeaveThePairForce) {
  System system = chains(30, 7, 0.5, 200);
  test::addBond(system.deck, BondStyle::harmonic, 100.0, 0.4, true);
  bondChains(system, 200, 30, 7, 1);
  expectReference(system);
}

// Exclusion belongs to a bond block: bonds of another block keep their pair force.
TEST_P(EngineBonds, OnlyBondsThatExcludeExclude) {
  System system = chains(30, 7, 0.5, 200);
  test::addBond(system.deck, BondStyle::harmonic, 100.0, 0.4, true);
  test::addBond(system.deck, BondStyle::harmonic, 50.0, 0.3, false);
  bondChains(system, 200, 30, 7, 2);
  expectReference(system);
}

TEST_P(EngineBonds, WithLennardJonesAndDpdTogether) {
  System system = chains(20, 3, 0.9, 0);
  test::addLennardJones(system.deck, "A", "B", 1.0, 0.3, 0.9);
  system.deck.run.timestep = 0.001;
  test::addBond(system.deck, BondStyle::fene, 30.0, 1.5);
  bondChains(system, 0, 20, 3, 1);
  expectReference(system);
}

// Two decks whose table of neighbours is too small now and then, so that a GPU repeats steps that it had launched
// already. Bonds of such steps once saw the particles of before the build, and broke. Exact sums: one hash, whenever
// lists are built.
TEST(EngineBondsRepeated, StepsThatAreRepeatedBreakNoBond) {
  for (const char* name : {"fene_table_grows_1.toml", "fene_table_grows_2.toml"}) {
    std::vector<std::string> hashes;
    const auto parsed = input::parseDeck(std::string(MESOWARP_SOURCE_DIR "/tests/cases/") + name);
    ASSERT_TRUE(parsed.ok());
    System system{parsed.deck, makeInitialState(parsed.deck)};
    for (const int every : {system.deck.neighbor.every, 1, 0}) {
      system.deck.neighbor.rebuild = every > 0 ? input::RebuildStyle::every : input::RebuildStyle::displacement;
      system.deck.neighbor.every = std::max(every, 1);
      const auto engine = system.engine();
      test::advance(*engine, 0, system.deck.run.steps, test::everything);
      ASSERT_FALSE(engine->failure().has_value()) << name << ", every " << every << ": " << *engine->failure();
      hashes.push_back(engine->stateHash());
    }
    EXPECT_EQ(hashes[0], hashes[1]) << name;
    EXPECT_EQ(hashes[0], hashes[2]) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Precision, EngineBonds, testing::ValuesIn(test::allPrecisions),
                         [](const auto& instance) { return test::titleOf(instance.param); });

}  // namespace
}  // namespace mesowarp
