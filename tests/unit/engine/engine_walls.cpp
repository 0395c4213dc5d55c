// Free particles between walls against their analytic paths: bounce-forward, bounce-back, both, in corners.
#include <gtest/gtest.h>

#include "tests/unit/support/test_flight.hpp"

namespace mesowarp {
namespace {

using input::FaceStyle;
using input::Precision;
using test::System;

constexpr FaceStyle forward = FaceStyle::bounce_forward, back = FaceStyle::bounce_back, open = FaceStyle::periodic;

input::Faces allFaces(FaceStyle style) { return {{{style, style}, {style, style}, {style, style}}}; }

class EngineWalls : public testing::TestWithParam<Precision> {
protected:
  // Particles that do not interact, at random places with random velocities of up to `speed`.
  System freeParticles(std::array<double, 3> size, const input::Faces& faces, double timestep, int n,
                       double speed) const {
    System system{test::emptyDeck(size, GetParam(), timestep), {}};
    for (int axis = 0; axis < 3; ++axis)
      if (faces[axis][0] != FaceStyle::periodic) test::addWall(system.deck, axis, faces[axis][0], faces[axis][1]);
    test::addDpd(system.deck, "A", "A", 0.0, 0.0, 0.0);
    test::Uniform uniform(11);
    for (int k = 0; k < n; ++k) {
      const double fraction = uniform(0.1, 1.0), z = uniform(-1, 1), phi = uniform(0, 2.0 * M_PI),
                   s = std::sqrt(1.0 - z * z);
      const double v = speed * fraction;
      test::place(system, {uniform() * size[0], uniform() * size[1], uniform() * size[2]},
                  {v * s * std::cos(phi), v * s * std::sin(phi), v * z});
    }
    return system;
  }

  // What the precision mode keeps of a velocity: mixed two floats.
  double stored(double v) const {
    const float high = static_cast<float>(v);
    if (GetParam() == Precision::double_) return v;
    return GetParam() == Precision::single
               ? high
               : static_cast<double>(high) + static_cast<double>(static_cast<float>(v - high));
  }

  // Where a path turns back, an error of the distance to the wall shifts it by twice that over the cosine to the
  // normal.
  static double amplification(const System& system, int i) {
    const auto& v = system.particles.velocity[i];
    double least = 1e300;
    for (int axis = 0; axis < 3; ++axis)
      for (const FaceStyle style : system.deck.faces[axis])
        if (style == back && v[axis] != 0.0) least = std::min(least, std::abs(v[axis]));
    return 1.0 + 2.0 * std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / least;
  }

  // Flies `steps` steps; every 10th is compared.
  void expectAnalyticPaths(const System& system, int steps) const {
    const auto engine = system.engine();
    const bool single = GetParam() == Precision::single;
    // Float: three roundings of a displacement of up to a cutoff or 4 dt, and half a tick of at most 1.2e-9 of 5.
    const double perStep = single ? 1.8e-7 * 4.0 * system.deck.run.timestep + 1.2e-9 : 5e-15;
    std::vector<test::Flight> flights(system.particles.count());
    const Box box = boxOf(system.deck);
    for (std::size_t i = 0; i < flights.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        flights[i].position[axis] = toLength(box, axis, system.particles.position[i][axis]);
        flights[i].velocity[axis] = stored(system.particles.velocity[i][axis]);
      }
    const long double dt =
        single ? static_cast<long double>(static_cast<float>(system.deck.run.timestep)) : system.deck.run.timestep;
    for (int k = 0; k <= steps; ++k) {
      const bool compare = k % 10 == 0;
      test::advance(*engine, k, k, compare ? test::everything : Wanted{});
      if (compare) {
        const auto s = engine->snapshot(k);
        for (std::size_t i = 0; i < flights.size(); ++i) {
          const double bound = perStep * (k + 10) * amplification(system, static_cast<int>(i));
          bool atWall = false;  // there rounding decides whether this step or the next one hits it
          for (int axis = 0; axis < 3; ++axis) {
            const double x = s.position[3 * i + axis];
            atWall = atWall || (!box.periodic[axis] && std::min(x, box.size[axis] - x) <= bound);
          }
          for (int axis = 0; axis < 3; ++axis) {
            const double x = s.position[3 * i + axis];
            ASSERT_GE(x, 0.0);
            ASSERT_LT(x, box.size[axis]);
            const double unwrapped = x + s.image[3 * i + axis] * box.size[axis];
            ASSERT_NEAR(unwrapped, static_cast<double>(flights[i].position[axis]), bound)
                << "step " << k << ", particle " << i << ", axis " << axis;
            if (!atWall) {
              ASSERT_EQ(s.velocity[3 * i + axis], static_cast<double>(flights[i].velocity[axis]))
                  << "step " << k << ", particle " << i << ", axis " << axis;
            }
          }
        }
      }
      for (auto& flight : flights) flight.advance(system.deck, dt);
    }
    EXPECT_FALSE(engine->failure().has_value()) << *engine->failure();
  }
};

TEST_P(EngineWalls, BounceForward) {
  System system = freeParticles({3.0, 4.0, 5.0}, allFaces(forward), 0.01, 200, 3.0);
  expectAnalyticPaths(system, 2000);
}

TEST_P(EngineWalls, BounceBack) {
  System system = freeParticles({3.0, 4.0, 5.0}, allFaces(back), 0.01, 200, 3.0);
  expectAnalyticPaths(system, 2000);
}

TEST_P(EngineWalls, OneWalledAxis) {
  for (const FaceStyle style : {forward, back})
    for (int axis = 0; axis < 3; ++axis) {
      input::Faces faces = allFaces(open);
      faces[axis] = {style, style};
      System system = freeParticles({3.0, 4.0, 5.0}, faces, 0.01, 50, 3.0);
      expectAnalyticPaths(system, 1000);
    }
}

TEST_P(EngineWalls, AnotherStyleOnEitherFace) {
  System system = freeParticles({3.0, 4.0, 5.0}, {{{open, open}, {forward, back}, {open, open}}}, 0.01, 200, 3.0);
  expectAnalyticPaths(system, 2000);
}

// Large steps, so that many cross two or three walls at once.
TEST_P(EngineWalls, CornersOfOneStyle) {
  for (const FaceStyle style : {forward, back}) {
    System system = freeParticles({2.6, 2.8, 2.7}, allFaces(style), 0.25, 200, 3.9);
    expectAnalyticPaths(system, 500);
  }
}

// Bounce-forward and bounce-back walls that meet in an edge: a particle that meets both in one step.
TEST_P(EngineWalls, CornersOfMixedStyles) {
  System system = freeParticles({2.6, 2.8, 2.7}, {{{forward, forward}, {back, back}, {open, open}}}, 0.25, 200, 3.9);
  expectAnalyticPaths(system, 200);
}

// Straight into an edge and a corner of the box, and from the wall itself.
TEST_P(EngineWalls, StraightIntoCorners) {
  for (const FaceStyle style : {forward, back}) {
    System system = freeParticles({4.0, 4.0, 4.0}, allFaces(style), 0.125, 0, 0.0);
    test::place(system, {1.0625, 1.0625, 2.0}, {-1.0, -1.0, 0.0});
    test::place(system, {2.9375, 2.9375, 2.9375}, {1.0, 1.0, 1.0});
    test::place(system, {2.9375, 1.0625, 2.9375}, {1.0, -1.0, 1.0});
    test::place(system, {0.0, 2.0, 2.0}, {-1.0, 0.0, 0.0});
    test::place(system, {0.0, 0.0, 0.0}, {-1.0, -0.5, -0.25});
    test::place(system, {2.0, 2.0, 2.0}, {0.0, 0.0, 0.0});
    expectAnalyticPaths(system, 400);
  }
}

// At almost a cutoff per step, for long: nobody leaves, speeds stay.
TEST_P(EngineWalls, NobodyLeaves) {
  System system =
      freeParticles({3.0, 2.5, 4.0}, {{{forward, back}, {back, back}, {forward, forward}}}, 0.25, 500, 3.99);
  const auto engine = system.engine();
  test::advance(*engine, 0, 3000, test::everything);
  ASSERT_FALSE(engine->failure().has_value()) << *engine->failure();
  const auto s = engine->snapshot(3000);
  for (int i = 0; i < system.particles.count(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GE(s.position[3 * i + axis], 0.0);
      EXPECT_LT(s.position[3 * i + axis], system.deck.box.size[axis]);
      EXPECT_EQ(s.image[3 * i + axis], 0);
      EXPECT_EQ(std::abs(s.velocity[3 * i + axis]), std::abs(stored(system.particles.velocity[i][axis])));
    }
}

INSTANTIATE_TEST_SUITE_P(Precision, EngineWalls, testing::ValuesIn(test::allPrecisions),
                         [](const auto& instance) { return test::titleOf(instance.param); });

}  // namespace
}  // namespace mesowarp
