// Frozen species: they keep their places and velocities, others feel them, and they are no degrees of freedom.
#include <gtest/gtest.h>

#include "run/recorders/thermo.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {
namespace {

class EngineFrozen : public testing::TestWithParam<input::Precision> {};

// A fluid A with every other particle of B, which moves along x for good, in its place.
System belts(input::Precision precision, bool frozen = true) {
  System s{emptyDeck({6.0, 6.0, 6.0}, precision, 0.01, {{"A", 1.0}, {"B", 2.0}}), {}};
  for (const auto* pair : {"AA", "AB", "BB"}) addDpd(s.deck, {pair[0]}, {pair[1]}, 0.0, 4.5, 3.0);
  s.deck.neighbor = {0.3, false, input::RebuildStyle::every, 4};
  s.deck.populations[1].frozen = frozen;
  fill(s, 648, 0.1, 1.0, 5);
  for (std::size_t k = 0; k < s.particles.velocity.size(); ++k)
    if (s.particles.species[k] == 1) s.particles.velocity[k] = {2.0, 0.0, 0.0};
  return s;
}

TEST_P(EngineFrozen, KeepPlacesAndVelocitiesAndDragOthers) {
  const System system = belts(GetParam());
  const auto engine = system.engine();
  advance(*engine, 0, 0, everything);
  const io::Snapshot start = engine->snapshot(0);
  advance(*engine, 1, 300, everything);
  EXPECT_EQ(engine->failure(), std::nullopt);
  const io::Snapshot end = engine->snapshot(300);
  double dragged = 0.0;
  int moved = 0;
  for (std::size_t k = 0; k < start.tag.size(); ++k) {
    if (start.species[k] == 0) {
      dragged += end.velocity[3 * k] / 324.0;
      moved += start.position[3 * k] != end.position[3 * k];
      continue;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(start.position[3 * k + axis], end.position[3 * k + axis]) << k;
      EXPECT_EQ(end.velocity[3 * k + axis], axis == 0 ? 2.0 : 0.0) << k;
    }
  }
  EXPECT_EQ(moved, 324);
  // Without repulsion A is a gas with friction against B alone: d<v>/dt = k (2 - <v>), k = gamma n_B (4 pi / 3) times
  // the integral of r^2 (1 - r)^2 = 4.5 * 1.5 * 4 pi / 90 = 0.942; after 3 units of time 1.88. The mean of 324
  // velocities of variance 1 has an error of 0.056; four of them.
  EXPECT_NEAR(dragged, 2.0 * (1.0 - std::exp(-3.0 * 0.942)), 0.22);
}

TEST_P(EngineFrozen, HaveNoTemperature) {
  const System system = belts(GetParam());
  const auto engine = system.engine();
  EXPECT_EQ(engine->mobile(), 324);
  advance(*engine, 0, 40, everything);
  const io::Snapshot s = engine->snapshot(40);
  double kinetic = 0.0, momentum = 0.0;
  for (std::size_t k = 0; k < s.tag.size(); ++k) {
    if (s.species[k] == 1) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) kinetic += s.velocity[3 * k + axis] * s.velocity[3 * k + axis];
    momentum += s.velocity[3 * k];
  }
  const Quantities q = thermoQuantities(engine->sums(), system.deck, engine->mobile());
  EXPECT_NEAR(q.at("temperature"), kinetic / (3.0 * 324), 1e-5);
  EXPECT_NEAR(q.at("kinetic_energy"), 0.5 * kinetic, 1e-3);
  EXPECT_NEAR(q.at("momentum_x"), momentum, 1e-2);
}

// A deck without frozen species has the bits it had.
TEST_P(EngineFrozen, NothingChangesForOthers) {
  const System system = belts(GetParam(), false);
  const auto engine = system.engine();
  EXPECT_EQ(engine->mobile(), 648);
  advance(*engine, 0, 40, everything);
  const Quantities q = thermoQuantities(engine->sums(), system.deck, engine->mobile());
  EXPECT_NEAR(q.at("temperature"), 2.0 * q.at("kinetic_energy") / (3.0 * 648 - 3.0), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, EngineFrozen, testing::ValuesIn(allPrecisions),
                         [](const auto& of) { return titleOf(of.param); });

}  // namespace
}  // namespace mesowarp::test
