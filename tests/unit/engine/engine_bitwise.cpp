// reproducibility = "bitwise": the order of particles and of list rows, when lists are built and how particles are
// sorted leave no trace; forces sum to exactly zero; the range of the sums is watched.
#include <gtest/gtest.h>

#include "tests/unit/support/test_bitwise.hpp"

namespace mesowarp::test {
namespace {

using input::Accumulator;
using input::Precision;
using input::RebuildStyle;

class EngineBitwise : public testing::TestWithParam<Precision> {};

std::string bitsOf(const System& system, SortStyle sort = backend::defaultSort) {
  return bitsAfter(*system.engine(sort), 60);
}

// With lists of other times, particles lie and are summed in another order. Without bitwise that shows, or this test
// would see nothing.
TEST_P(EngineBitwise, ListsLeaveNoTrace) {
  for (const BitwiseFeature& feature : bitwiseFeatures) {
    const System system = feature.make(GetParam());
    const std::string bits = bitsOf(system);
    for (const input::Neighbor& other : {input::Neighbor{0.4, false, RebuildStyle::every, 7},
                                         {0.3, false, RebuildStyle::displacement, 1},
                                         {0.2, false, RebuildStyle::every, 1}}) {
      System changed = system;
      changed.deck.neighbor = other;
      EXPECT_EQ(bitsOf(changed), bits) << feature.name;
    }
    EXPECT_EQ(bitsOf(system, SortStyle::library), bits) << feature.name;
  }
  System usual = bitwiseFluid(GetParam());
  usual.deck.run.reproducibility = input::Reproducibility::deterministic;
  usual.deck.sums.accumulator = GetParam() == Precision::single ? Accumulator::single : Accumulator::double_;
  System changed = usual;
  changed.deck.neighbor.every = 7, changed.deck.neighbor.skin = 0.4;
  EXPECT_NE(bitsOf(usual), bitsOf(changed));
}

TEST_P(EngineBitwise, ForcesSumToExactlyZero) {
  for (const BitwiseFeature& feature : bitwiseFeatures) {
    const System system = feature.make(GetParam());
    const auto engine = system.engine();
    for (int step = 0; step < 20; ++step) {
      advance(*engine, step, step, {.thermo = true, .forces = true});
      const ThermoSums& sums = engine->sums();
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(sums.fixedForce[c], 0) << feature.name;
        EXPECT_EQ(sums.force[c], 0.0) << feature.name;
      }
    }
  }
  // Sums of floating-point numbers do not, or this test would see nothing.
  System usual = bitwiseFluid(GetParam());
  usual.deck.sums.accumulator = GetParam() == Precision::single ? Accumulator::single : Accumulator::double_;
  const auto engine = usual.engine();
  advance(*engine, 0, 0, {.thermo = true});
  EXPECT_NE(engine->sums().force[0], 0.0);
}

// Every accumulator in the pair traversal, against sums in double: what the method and the precision of a term leave.
TEST(EngineAccumulators, ForcesAgreeWithDouble) {
  for (const BitwiseFeature& feature : bitwiseFeatures) {
    System system = feature.make(Precision::double_);
    system.deck.run.reproducibility = input::Reproducibility::deterministic;
    const auto forces = [&](Precision precision, Accumulator accumulator) {
      system.deck.run.precision = precision;
      system.deck.sums.accumulator = accumulator;
      const auto engine = system.engine();
      advance(*engine, 0, 0, everything);
      EXPECT_EQ(engine->failure(), std::nullopt);
      return engine->snapshot(0).force;
    };
    const auto exact = forces(Precision::double_, Accumulator::double_);
    const auto worst = [&](const std::vector<double>& f) {
      double error = 0.0;
      for (std::size_t k = 0; k < f.size(); ++k) error = std::max(error, std::abs(f[k] - exact[k]));
      return error;
    };
    double largest = 0.0;
    for (const double f : exact) largest = std::max(largest, std::abs(f));
    ASSERT_GT(largest, 20.0);
    for (int a = 0; a < static_cast<int>(Accumulator::double_); ++a)
      EXPECT_LT(worst(forces(Precision::single, static_cast<Accumulator>(a))), 5e-5 * largest)
          << feature.name << " " << a;
    EXPECT_LT(worst(forces(Precision::double_, Accumulator::narumi)), 1e-9) << feature.name;
  }
}

TEST(EngineAccumulators, AForceBeyondTheRangeEndsTheRun) {
  for (const Precision precision : allPrecisions) {
    System system = bitwiseFluid(precision);
    system.deck.sums.range = 4.0;
    const auto engine = system.engine();
    advance(*engine, 0, 0);
    const auto failure = engine->failure();
    ASSERT_TRUE(failure.has_value());
    EXPECT_NE(failure->find("leaves the range of the sums, 4"), std::string::npos) << *failure;
  }
}

// A list that was used for too long could have missed a pair.
TEST(EngineAccumulators, AListUsedForTooLongPutsTheBitsInDoubt) {
  System system = bitwiseFluid(Precision::single);
  system.deck.neighbor = {0.05, false, RebuildStyle::every, 40};
  const auto engine = system.engine();
  advance(*engine, 0, 100);
  const auto failure = engine->failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_NE(failure->find("a pair may have been missed"), std::string::npos) << *failure;
  system.deck.run.reproducibility = input::Reproducibility::deterministic;
  const auto usual = system.engine();
  advance(*usual, 0, 100);
  EXPECT_EQ(usual->failure(), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, EngineBitwise, testing::ValuesIn(allPrecisions),
                         [](const auto& of) { return titleOf(of.param); });

}  // namespace
}  // namespace mesowarp::test
