// Pair and bond forces, energy and virial against brute force, in each precision mode.
#include <gtest/gtest.h>

#include "tests/unit/support/test_reference.hpp"

namespace mesowarp {
namespace {

using input::Precision;
using test::System;

// Largest deviation of any component in units of the typical force; of energy and virial in units of their sums of
// magnitudes. Single: float arithmetic, mixed and double: the reference starts from what they store.
double tolerance(Precision precision) { return precision == Precision::single ? 2e-5 : 1e-12; }

void expectReference(const System& system, double bound) {
  const auto engine = system.engine();
  test::advance(*engine, 0, 0, test::everything);
  ASSERT_FALSE(engine->failure().has_value()) << *engine->failure();
  const auto exact = test::ReferenceForces(system.deck)(system.particles, 0);
  const auto snapshot = engine->snapshot(0);
  const double typical = exact.typicalForce();
  ASSERT_GT(typical, 0.1);
  double worst = 0.0;
  for (int i = 0; i < system.particles.count(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      worst =
          std::max(worst, std::abs(snapshot.force[3 * i + axis] - static_cast<double>(exact.force[i][axis])) / typical);
  EXPECT_LT(worst, bound);
  const auto& sums = engine->sums();
  EXPECT_NEAR(sums.potential, static_cast<double>(exact.potential), bound * static_cast<double>(exact.potentialScale));
  for (int c = 0; c < 6; ++c)
    EXPECT_NEAR(sums.virial[c], static_cast<double>(exact.virial[c]), bound * static_cast<double>(exact.virialScale))
        << "virial " << c;
}

class EngineForces : public testing::TestWithParam<Precision> {
protected:
  // DPD fluid at density 3 in the given box; one species.
  System fluid(std::array<double, 3> size, double exponent = 1.0, double cutoff = 1.0) const {
    System system{test::emptyDeck(size, GetParam(), 0.01), {}};
    test::addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0, cutoff, exponent);
    return system;
  }
  void fillAndExpect(System& system, double density, double bound, double jitter = 0.45) const {
    test::fill(system, static_cast<int>(density * boxOf(system.deck).volume()), jitter, 1.0, 5);
    expectReference(system, bound);
  }
};

TEST_P(EngineForces, Dpd) {
  System system = fluid({6.0, 5.0, 4.1});
  fillAndExpect(system, 3.0, tolerance(GetParam()));
}

TEST_P(EngineForces, DpdAtHighDensity) {  // rows longer than the buffer of a CPU core
  System system = fluid({3.5, 3.5, 3.5});
  system.deck.neighbor.skin = 0.7;
  fillAndExpect(system, 30.0, tolerance(GetParam()));
}

TEST_P(EngineForces, DpdWithTheOtherNoise) {
  for (const double exponent : {1.0, 2.0}) {
    System system = fluid({7.0, 5.5, 6.2}, exponent);
    system.deck.run.pair_noise = input::PairNoise::multiply;
    fillAndExpect(system, 3.0, tolerance(GetParam()));
  }
}

TEST_P(EngineForces, DpdWithOtherCutoff) {
  System system = fluid({6.0, 5.0, 4.6}, 1.0, 1.7);
  fillAndExpect(system, 3.0, tolerance(GetParam()));
}

// Float knows 1 - r/r_c to 1e-7, and its power s < 1 is steep at the cutoff: s = 1/4 is compared less tightly there.
TEST_P(EngineForces, DpdGeneralExponent) {
  for (const double exponent : {0.25, 0.5, 2.0, 1.3}) {
    System system = fluid({6.0, 5.0, 4.1}, exponent);
    const bool steep = GetParam() == Precision::single && exponent < 1.0;
    fillAndExpect(system, 3.0, steep ? 3e-4 : tolerance(GetParam()));
    if (HasFailure()) FAIL() << "exponent " << exponent;
  }
}

// The smallest box: twice the reach, hardly any skin.
TEST_P(EngineForces, DpdInTheSmallestBox) {
  for (const double skin : {0.3, 0.05, 0.01}) {
    System system = fluid({2.0 + 2.0 * skin, 2.0 + 2.0 * skin, 2.0 + 2.0 * skin});
    system.deck.neighbor.skin = skin;
    fillAndExpect(system, 3.0, tolerance(GetParam()));
    if (HasFailure()) FAIL() << "skin " << skin;
  }
}

TEST_P(EngineForces, DpdBetweenWalls) {
  System system = fluid({4.0, 5.0, 3.0});
  for (int axis = 0; axis < 3; ++axis)
    test::addWall(system.deck, axis, input::FaceStyle::bounce_back, input::FaceStyle::bounce_back);
  fillAndExpect(system, 3.0, tolerance(GetParam()));
}

TEST_P(EngineForces, DpdOfSeveralSpecies) {
  for (const double exponent : {1.0, 0.5}) {
    System system{test::emptyDeck({6.0, 5.0, 4.1}, GetParam(), 0.01, {{"A", 1.0}, {"B", 2.5}, {"C", 0.5}}), {}};
    test::addDpd(system.deck, "*", "*", 25.0, 4.5, 3.0);
    test::addDpd(system.deck, "A", "B", 60.0, 9.0, 4.0, 0.8);
    test::addDpd(system.deck, "C", "B", 10.0, 2.0, 1.5, 1.2, exponent);
    test::addDpd(system.deck, "C", "*", 35.0, 1.0, 2.0, 1.1, exponent);  // later blocks override: C with B too
    test::addDpd(system.deck, "B", "B", 40.0, 3.0, 1.0, 0.9);
    fillAndExpect(system, 3.0, exponent < 1.0 && GetParam() == Precision::single ? 3e-4 : tolerance(GetParam()));
  }
}

TEST_P(EngineForces, SpeciesThatDoNotInteract) {
  System system{test::emptyDeck({6.0, 5.0, 4.1}, GetParam(), 0.01, {{"A", 1.0}, {"B", 1.0}}), {}};
  test::addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0);
  fillAndExpect(system, 6.0, tolerance(GetParam()));
}

TEST_P(EngineForces, LennardJones) {
  System system{test::emptyDeck({6.0, 7.0, 6.5}, GetParam(), 0.001), {}};
  test::addLennardJones(system.deck, "A", "A", 1.3, 0.9, 2.5);
  fillAndExpect(system, 0.8, tolerance(GetParam()), 0.15);
}

TEST_P(EngineForces, WeeksChandlerAndersen) {
  System system{test::emptyDeck({6.0, 7.0, 6.5}, GetParam(), 0.001), {}};
  test::addWca(system.deck, "A", "A", 1.0, 1.0);
  fillAndExpect(system, 0.9, tolerance(GetParam()), 0.15);
}

TEST_P(EngineForces, LennardJonesOfSeveralSpecies) {
  System system{test::emptyDeck({6.0, 7.0, 6.5}, GetParam(), 0.001, {{"A", 1.0}, {"B", 3.0}}), {}};
  test::addLennardJones(system.deck, "A", "A", 1.0, 1.0, 2.5);
  test::addLennardJones(system.deck, "B", "A", 0.7, 0.9, 2.0);
  test::addWca(system.deck, "B", "B", 1.5, 0.8);
  fillAndExpect(system, 0.8, tolerance(GetParam()), 0.15);
}

// Styles mixed in one deck: their forces are summed by different kernels.
TEST_P(EngineForces, DpdAndLennardJonesTogether) {
  System system{test::emptyDeck({6.0, 7.0, 6.5}, GetParam(), 0.001, {{"A", 1.0}, {"B", 3.0}}), {}};
  test::addDpd(system.deck, "*", "*", 25.0, 4.5, 3.0);
  test::addLennardJones(system.deck, "A", "A", 1.0, 1.0, 2.5);
  test::addWca(system.deck, "A", "B", 1.5, 0.8);
  fillAndExpect(system, 0.9, tolerance(GetParam()), 0.15);
}

TEST_P(EngineForces, DrivesAddToForces) {
  System system = fluid({6.0, 5.0, 4.1});
  system.deck.populations[0].mass = 1.7;
  input::Drive constant, halves;
  constant.acceleration = {1.0, -20.0, 3.0};
  halves.style = input::DriveStyle::double_poiseuille;
  halves.acceleration = {10.0, 0.0, 40.0};
  halves.across = 1;
  system.deck.drives = {constant, halves};
  fillAndExpect(system, 3.0, tolerance(GetParam()));
}

// Both sides of a pair compute the same number: forces of isolated pairs are opposite to the bit.
TEST_P(EngineForces, PairsAreOppositeToTheBit) {
  for (const double exponent : {1.0, 0.5, -1.0}) {  // -1: Lennard-Jones
    System system{test::emptyDeck({30.0, 30.0, 30.0}, GetParam(), 0.01), {}};
    if (exponent > 0.0)
      test::addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0, 1.0, exponent);
    else
      test::addLennardJones(system.deck, "A", "A", 1.0, 0.5, 1.0);
    test::Uniform uniform(8);
    for (int k = 0; k < 1000; ++k) {
      const std::array<double, 3> first{k % 10 * 3.0, k / 10 % 10 * 3.0, k / 100 * 3.0};
      std::array<double, 3> second = first;
      for (double& x : second) x += 0.3 + uniform(-0.25, 0.25);
      test::place(system, first, {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
      test::place(system, second, {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
    }
    const auto engine = system.engine();
    test::advance(*engine, 0, 0, test::everything);
    const auto snapshot = engine->snapshot(0);
    for (int k = 0; k < 1000; ++k)
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_NE(snapshot.force[6 * k + axis], 0.0);
        ASSERT_EQ(snapshot.force[6 * k + axis], -snapshot.force[6 * k + 3 + axis])
            << "pair " << k << ", exponent " << exponent;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Precision, EngineForces, testing::ValuesIn(test::allPrecisions),
                         [](const auto& instance) { return test::titleOf(instance.param); });

// Round-off alone changes the total momentum: of double, or, in mixed precision, of a velocity kept in two floats.
TEST(EngineMomentum, IsConservedInMixedPrecision) {
  for (const double lambda : {0.5, 0.65}) {
    System system{test::emptyDeck({6.0, 6.0, 6.0}, Precision::mixed, 0.02), {}};
    test::addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0);
    system.deck.integrator.lambda = lambda;
    test::fill(system, 600, 0.1, 1.0, 3);
    const auto engine = system.engine();
    test::advance(*engine, 0, 0, {.thermo = true});
    const ThermoSums start = engine->sums();
    test::advance(*engine, 1, 200, {.thermo = true});
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_LT(std::abs(engine->sums().momentum[axis] - start.momentum[axis]), 600 * 1e-12) << "lambda " << lambda;
  }
}

TEST(EngineMomentum, IsConservedInDouble) {
  for (const bool lennardJones : {false, true}) {
    System system{test::emptyDeck({6.0, 6.0, 6.0}, Precision::double_, lennardJones ? 0.002 : 0.02), {}};
    if (lennardJones)
      test::addLennardJones(system.deck, "A", "A", 1.0, 0.8, 2.0);
    else
      test::addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0);
    test::fill(system, 600, 0.1, 1.0, 3);
    const auto engine = system.engine();
    double largest = 0.0;
    for (int k = 0; k <= 200; ++k) {
      test::advance(*engine, k, k, {.thermo = true});
      for (const double p : engine->sums().momentum) largest = std::max(largest, std::abs(p));
    }
    ASSERT_FALSE(engine->failure().has_value()) << *engine->failure();
    EXPECT_LT(largest, 600 * 1e-12);
  }
}

}  // namespace
}  // namespace mesowarp
