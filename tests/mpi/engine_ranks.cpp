// A system on all ranks against the same system on one: forces at step 0 to round-off, trajectories as far as round-off
// has grown, for every feature; conservation over many migrations.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "on_all_ranks.hpp"

namespace mesowarp::test {
namespace {

// Room for eight ranks along x, at a reach of 1.3.
constexpr std::array<double, 3> size{12.0, 6.0, 5.5};
constexpr int count = 1200;

System fluid(input::Precision precision, input::RebuildStyle rebuild = input::RebuildStyle::every) {
  System s{emptyDeck(size, precision, 0.004, {{"A", 1.0}, {"B", 2.0}}), {}};
  addDpd(s.deck, "A", "A", 25.0, 4.5, 3.0);
  addDpd(s.deck, "A", "B", 40.0, 4.5, 3.0, 0.9, 0.5);
  addDpd(s.deck, "B", "B", 20.0, 9.0, std::sqrt(18.0), 1.0, 2.0);
  s.deck.neighbor = {0.3, false, rebuild, 4};
  fill(s, count, 0.2, 1.0, 11);
  return s;
}

System bonded(input::Precision precision) {
  System s = fluid(precision);
  addBond(s.deck, input::BondStyle::harmonic, 50.0, 0.5, true);
  addBond(s.deck, input::BondStyle::fene, 30.0, 3.5);
  const Box box = boxOf(s.deck);
  // Chains of neighbours: each particle to the nearest one that has a free slot.
  std::vector<int> used(count, 0);
  const auto distance2 = [&](int a, int b) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto d = static_cast<std::int64_t>(s.particles.position[a][axis] - s.particles.position[b][axis]);
      sum += std::pow(static_cast<double>(d) * box.tick(axis, 64), 2);
    }
    return sum;
  };
  for (int a = 0; a + 1 < count; a += 2) {
    int best = -1;
    for (int b = 0; b < count; ++b)
      if (b != a && used[b] == 0 && (best < 0 || distance2(a, b) < distance2(a, best))) best = b;
    if (best < 0 || used[a] > 0) continue;
    s.particles.bonds.push_back({static_cast<u32>(a), static_cast<u32>(best), a / 2 % 2});
    ++used[a], ++used[best];
  }
  return s;
}

System walled(input::Precision precision) {
  System s = fluid(precision);
  addWall(s.deck, 0, input::FaceStyle::bounce_back, input::FaceStyle::bounce_forward);
  addWall(s.deck, 2, input::FaceStyle::bounce_forward, input::FaceStyle::bounce_back);
  s.particles = {};
  fill(s, count, 0.2, 1.0, 12);
  input::Drive drive;
  drive.acceleration = {0.0, 0.5, 0.0};
  s.deck.drives.push_back(drive);
  return s;
}

System twoForces(input::Precision precision) {
  System s = fluid(precision);
  addLennardJones(s.deck, "A", "B", 0.1, 0.4, 1.0);
  s.deck.interactions[1].between = {"A", "A"};
  s.deck.interactions.erase(s.deck.interactions.begin());
  return s;
}

// Of one species, whose force reads no velocities: ghosts have none, migrants do.
System withoutFriction(input::Precision precision) {
  System s{emptyDeck(size, precision, 0.004), {}};
  addWca(s.deck, "A", "A", 1.0, 0.5);
  s.deck.neighbor = {0.3, false, input::RebuildStyle::every, 4};
  fill(s, count, 0.1, 1.0, 13);
  return s;
}

// More leave at once than there is room for at first.
System beam(input::Precision precision) {
  System s = fluid(precision);
  for (auto& v : s.particles.velocity) v[0] += 50.0;
  return s;
}

struct Feature {
  const char* name;
  System (*make)(input::Precision);
};
const Feature features[] = {
    {"fluid", [](input::Precision p) { return fluid(p); }},
    {"displacement", [](input::Precision p) { return fluid(p, input::RebuildStyle::displacement); }},
    {"bonds", bonded},
    {"walls", walled},
    {"two forces", twoForces},
    {"no friction", withoutFriction},
    {"beam", beam}};

// Largest differences that rounding may make.
struct Bounds {
  double positions, velocities, forces;
  double ofSums;  // relative
};

// Ranks sum a force in another order: at first that is all, and forces of up to 500 differ in their last places. After
// 50 steps the errors have gone through positions and velocities; each bound is about four times the largest difference
// that 2, 4 and 8 ranks had in any of the features. The beam's velocities of 50 have last places as many times larger.
Bounds boundsOf(input::Precision precision, i64 step, bool beam) {
  const bool single = precision == input::Precision::single;
  const double last = single ? 0x1p-24 : 0x1p-53;
  if (step == 0) return {0.0, 0.0, 500.0 * last, single ? 2e-8 : 2e-14};
  const double fast = beam ? 10.0 : 1.0;
  if (single) return {1e-6 * fast, 1.5e-5 * fast, 1.5e-3, 2e-7};
  return {1e-14 * fast, 6e-14 * fast, 5e-12, 2e-14};
}

// This rank's rows of a snapshot of all ranks against the same rows of a whole one.
void expectNear(const io::Snapshot& part, const io::Snapshot& whole, const std::array<double, 3>& box,
                const Bounds& bounds, const std::string& what) {
  ASSERT_EQ(part.total, static_cast<i64>(whole.tag.size()));
  double worst[3] = {0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < part.tag.size(); ++k) {
    const std::size_t t = static_cast<std::size_t>(part.first) + k;
    ASSERT_EQ(part.tag[k], whole.tag[t]) << what;
    ASSERT_EQ(part.species[k], whole.species[t]) << what;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t a = 3 * k + axis, b = 3 * t + axis;
      double d = part.position[a] + part.image[a] * box[axis] - whole.position[b] - whole.image[b] * box[axis];
      worst[0] = std::max(worst[0], std::abs(d));
      worst[1] = std::max(worst[1], std::abs(part.velocity[a] - whole.velocity[b]));
      worst[2] = std::max(worst[2], std::abs(part.force[a] - whole.force[b]));
    }
  }
  EXPECT_LE(worst[0], bounds.positions) << what << ": positions";
  EXPECT_LE(worst[1], bounds.velocities) << what << ": velocities";
  EXPECT_LE(worst[2], bounds.forces) << what << ": forces";
}

void expectNear(const ThermoSums& a, const ThermoSums& b, const Bounds& bounds, const std::string& what) {
  const double kinetic = bounds.ofSums * (a.kinetic[0] + a.kinetic[1] + a.kinetic[2]);
  const double virial = bounds.ofSums * (std::abs(a.virial[0]) + std::abs(a.virial[1]) + std::abs(a.virial[2]));
  for (int c = 0; c < 6; ++c) EXPECT_NEAR(a.kinetic[c], b.kinetic[c], kinetic) << what;
  for (int c = 0; c < 6; ++c) EXPECT_NEAR(a.virial[c], b.virial[c], virial) << what;
  EXPECT_NEAR(a.potential, b.potential, bounds.ofSums * std::abs(a.potential)) << what;
}

class EngineRanks : public testing::TestWithParam<input::Precision> {};

TEST_P(EngineRanks, FollowOneRank) {
  for (const Feature& feature : features) {
    const System system = feature.make(GetParam());
    const auto alone = system.engine();
    const auto together = onAllRanks(system);
    ASSERT_EQ(together->particles(), count);
    i64 first = 0;
    for (const i64 step : {0, 50}) {
      advance(*alone, first, step, everything);
      advance(*together, first, step, everything);
      const Bounds bounds = boundsOf(GetParam(), step, feature.name == std::string("beam"));
      const std::string what = std::string(feature.name) + ", step " + std::to_string(step);
      expectNear(together->snapshot(step), alone->snapshot(step), size, bounds, what);
      expectNear(together->sums(), alone->sums(), bounds, what);
      first = step + 1;
    }
    EXPECT_EQ(together->failure(), std::nullopt);
    EXPECT_GT(together->counters().migrated, 20) << feature.name;
  }
}

// The same run twice gives the same bits.
TEST_P(EngineRanks, AreDeterministic) {
  const System system = bonded(GetParam());
  std::string hash;
  for (int run = 0; run < 2; ++run) {
    const auto engine = onAllRanks(system);
    advance(*engine, 0, 60, everything);
    const std::string now = engine->stateHash();
    if (run > 0) {
      EXPECT_EQ(now, hash);
    }
    hash = now;
  }
}

// The state hash does not know the ranks: particles without forces are in the same state on any number of them. Enough
// for three blocks of the hash.
TEST_P(EngineRanks, HashAsOneRankDoes) {
  System system{emptyDeck({24.0, 24.0, 24.0}, GetParam(), 0.01, {{"A", 1.0}, {"B", 1.0}}), {}};
  addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0, 0.5);
  system.deck.neighbor = {0.3, false, input::RebuildStyle::every, 3};
  fill(system, 140000, 0.3, 2.0, 5);
  for (auto& species : system.particles.species) species = 1;
  const auto alone = world().root() ? system.engine() : nullptr;
  const auto together = onAllRanks(system);
  i64 first = 0;
  for (const i64 step : {0, 20}) {
    const std::string expected = bitsByTheRoot([&] {
      advance(*alone, first, step, everything);
      return alone->stateHash();
    });
    advance(*together, first, step, everything);
    EXPECT_EQ(together->stateHash(), expected) << step;
    first = step + 1;
  }
  EXPECT_GT(together->counters().migrated, 1000);
}

TEST_P(EngineRanks, KeepParticlesAndMomentum) {
  System system = fluid(GetParam());
  system.deck.interactions.resize(1);
  system.deck.interactions[0].between = {"A", "A"};  // of B nobody takes notice: they fly
  for (auto& v : system.particles.velocity) v = {3.0 * v[0], 3.0 * v[1], 3.0 * v[2]};
  const auto engine = onAllRanks(system);
  advance(*engine, 0, 0, everything);
  const ThermoSums before = engine->sums();
  advance(*engine, 1, 400, everything);
  const ThermoSums after = engine->sums();
  const double perStep = GetParam() == input::Precision::single ? 1e-4 : 1e-11;
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(after.momentum[c], before.momentum[c], 400 * perStep);
  const io::Snapshot state = engine->snapshot(400);  // throws unless each tag is there once
  EXPECT_EQ(world().sum(static_cast<i64>(state.tag.size())), count);
  EXPECT_GT(engine->counters().migrated, 500);
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, EngineRanks, testing::ValuesIn(allPrecisions),
                         [](const auto& of) { return titleOf(of.param); });

}  // namespace
}  // namespace mesowarp::test
