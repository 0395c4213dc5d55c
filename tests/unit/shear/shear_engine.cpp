// Lees-Edwards boundaries: forces among images that have slid, against brute force; a box at rest; conservation;
// restart; where particles are seen.
#include <cmath>
#include <gtest/gtest.h>

#include "grid/shear_faces.hpp"
#include "tests/unit/shear/shear_systems.hpp"
#include "tests/unit/support/test_checkpoints.hpp"

namespace mesowarp::test {
namespace {

using input::Precision;

class ShearedBox : public testing::TestWithParam<Precision> {
protected:
  double tolerance() const { return GetParam() == Precision::double_ ? 1e-9 : 5e-4; }  // of forces around 30
};

double largestForceError(const System& s, Engine& engine, i64 step) {
  const io::Snapshot snapshot = engine.snapshot(step);
  const auto expected = forcesAmongImages(s, snapshot);
  double worst = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      worst = std::max(worst, std::abs(snapshot.force[3 * i + axis] - expected[i][axis]));
  return worst;
}

// A pair that the list lacks, or an image in the wrong place, is an error of the size of a force. The rate is so high
// that images slide by a box in 90 steps; all orders of axes; both signs.
TEST_P(ShearedBox, ForcesAreThoseAmongImagesThatSlide) {
  for (const auto& [flow, gradient, rate] :
       {std::array{2.0, 1.0, 2.5}, std::array{0.0, 1.0, -2.5}, std::array{1.0, 2.0, 2.5}, std::array{0.0, 2.0, 1.0}}) {
    const System s = shearedFluid(GetParam(), rate, false, static_cast<int>(flow), static_cast<int>(gradient));
    const auto engine = s.engine();
    i64 done = -1;
    for (const i64 step : {0, 1, 7, 40, 61, 150}) {
      advance(*engine, done + 1, step, everything);
      done = step;
      EXPECT_LT(largestForceError(s, *engine, step), tolerance()) << "step " << step << ", flow along " << flow;
    }
    EXPECT_EQ(engine->failure(), std::nullopt);
    EXPECT_GT(engine->counters().rebuilds, 5);
  }
}

// With every force there is: noise and friction go through the faces as well.
TEST_P(ShearedBox, AtRestIsThePeriodicBox) {
  const System sheared = shearedFluid(GetParam(), 0.0);
  System periodic = shearedFluid(GetParam(), 0.0);
  periodic.deck.own.get<Shear>() = {};
  periodic.particles = {};
  fill(periodic, 1200, 0.2, 1.0, 11);
  const auto a = sheared.engine(), b = periodic.engine();
  for (const i64 last : {0, 10}) {
    advance(*a, last == 0 ? 0 : 1, last, everything), advance(*b, last == 0 ? 0 : 1, last, everything);
    const auto one = a->snapshot(last), other = b->snapshot(last);
    for (std::size_t k = 0; k < one.force.size(); ++k) ASSERT_NEAR(one.force[k], other.force[k], 10 * tolerance()) << k;
    EXPECT_NEAR(a->sums().potential, b->sums().potential, 1e-5 * b->sums().potential);
    EXPECT_NEAR(a->sums().kinetic[0], b->sums().kinetic[0], 1e-5 * b->sums().kinetic[0]);
    for (int c = 0; c < 6; ++c) EXPECT_NEAR(a->sums().virial[c], b->sums().virial[c], 1e-3 * b->sums().potential);
  }
}

// Momentum without the flow, w = v - rate y, changes by rounding alone, where there is none along the gradient (else
// w's changes by -rate times that): what particles beyond a face read of each other is rounded on either side.
TEST_P(ShearedBox, KeepsItsMomentumWithoutTheFlow) {
  System s = shearedFluid(GetParam(), 1.0);
  double along = 0.0, mass = 0.0;
  for (std::size_t i = 0; i < s.particles.species.size(); ++i)
    along += (1.0 + s.particles.species[i]) * s.particles.velocity[i][1], mass += 1.0 + s.particles.species[i];
  for (auto& v : s.particles.velocity) v[1] -= along / mass;
  const auto engine = s.engine();
  advance(*engine, 0, 0, everything);
  const auto before = std::array{engine->sums().momentum[0], engine->sums().momentum[1], engine->sums().momentum[2]};
  advance(*engine, 1, 400, everything);
  const double rounding = GetParam() == Precision::double_ ? 1e-9 : 2e-3;
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(engine->sums().momentum[c], before[static_cast<std::size_t>(c)], rounding) << c;
}

TEST_P(ShearedBox, ParticlesAreSeenInTheBoxAndMoveSteadilyWhenUnwrapped) {
  const System s = shearedFluid(GetParam(), 2.0);
  const auto engine = s.engine();
  const auto& size = s.deck.box.size;
  std::vector<double> before;
  int beyond = 0;
  for (i64 step = 0; step <= 120; ++step) {
    advance(*engine, step, step, everything);
    const auto snapshot = engine->snapshot(step);
    std::vector<double> place(snapshot.position.size());
    for (std::size_t k = 0; k < place.size(); ++k) {
      const std::size_t axis = k % 3;
      ASSERT_GE(snapshot.position[k], 0.0);
      ASSERT_LT(snapshot.position[k], size[axis]);
      place[k] = snapshot.position[k] + snapshot.image[k] * size[axis];
      if (axis == 2)  // the flow; the gradient is y, the axis before
        place[k] += snapshot.image[k - 1] * 2.0 * size[1] * 0.004 * static_cast<double>(step);
      if (axis == 1 && snapshot.image[k] != 0) ++beyond;
      // In a step, by no more than the fastest: 6 from the middle's flow, and a few gone through faces.
      if (!before.empty()) {
        ASSERT_LT(std::abs(place[k] - before[k]), 0.004 * 40.0) << step << ' ' << k;
      }
    }
    for (std::size_t k = 2; k < place.size(); k += 3)  // near a face the flow is fast, and no faster anywhere
      ASSERT_LT(std::abs(snapshot.velocity[k] - 2.0 * (snapshot.position[k - 1] - 3.0)), 7.0) << step;
    before = place;
  }
  EXPECT_GT(beyond, 1000);
}

TEST_P(ShearedBox, GoesOnFromACheckpointWithTheSameBits) {
  const System s = shearedFluid(GetParam(), 1.5);
  const auto whole = s.engine();
  advance(*whole, 0, 90, {.velocities = true});
  for (const i64 stop : {1, 37, 64}) {
    const auto first = s.engine();
    advance(*first, 0, stop - 1);
    first->rebuildIfDue(stop);
    auto content = contentOf(*first);
    content.numbers["step"] = stop;
    const auto second = makeEngine(s.deck, s.particles.count(), 0);
    second.engine->restore(content);
    second.engine->advance(stop, {});
    advance(*second.engine, stop + 1, 90, {.velocities = true});
    EXPECT_EQ(second.engine->stateHash(), whole->stateHash()) << stop;
  }
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, ShearedBox, testing::ValuesIn(allPrecisions),
                         [](const auto& instance) { return titleOf(instance.param); });

// The offset is a whole number of units, so a run that counts from a checkpoint has the same.
TEST(ShearOffset, IsTheSameFromAnyStep) {
  ShearOffset whole(-0.01234567890123), part = whole;
  part.restore(whole.at(987654321), 987654321);
  EXPECT_TRUE(whole.at(2000000007) == part.at(2000000007));
  const double boxes = static_cast<double>(static_cast<i64>(whole.at(1000000000) >> 64));
  EXPECT_NEAR(boxes, -12345678.90123, 1.0);
}

TEST(ShearOffset, FacesPutParticlesBackAndForth) {
  const auto faces = ShearFaces<u32>::of({true, 0, 1, 0.5}, 2.0, (ShearOffset::Units{3} << 64) | (u64{3} << 62));
  EXPECT_EQ(faces.offset, 0xC0000000u);
  EXPECT_EQ(faces.boxes, 3);
  const Vec3<u32> above{0x10000000u, 0x80000005u, 7u}, below{0xF0000000u, 0xFFFFFFF0u, 7u};
  Vec3<u32> at = above;
  Vec3<i32> crossed{};
  EXPECT_EQ(faces.putBack(at, crossed), 1);
  EXPECT_EQ(at.x, 0x50000000u);  // 1/16 - 3/4 + 1
  EXPECT_EQ(at.y, 5u);
  // x + n L + n' (3 3/4 L) is what it was: 1/16 = 5/16 + n + 3 3/4.
  EXPECT_EQ(crossed.x, -4);
  EXPECT_EQ(crossed.y, 1);
  at = below, crossed = {};
  EXPECT_EQ(faces.putBack(at, crossed), -1);
  EXPECT_EQ(at.x, 0xB0000000u);  // 15/16 + 3/4 - 1
  EXPECT_EQ(at.y, 0x7FFFFFF0u);
  EXPECT_EQ(crossed.x, 4);  // 15/16 = 11/16 + n - 3 3/4
  EXPECT_EQ(crossed.y, -1);
}

}  // namespace
}  // namespace mesowarp::test
