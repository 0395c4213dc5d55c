// Free fall under drives: velocity Verlet is exact for a constant acceleration.
#include <gtest/gtest.h>

#include "tests/unit/support/test_systems.hpp"

namespace mesowarp {
namespace {

using input::DriveStyle;
using input::Precision;
using test::System;

constexpr double timestep = 0.01;
constexpr int steps = 300;

class EngineDrives : public testing::TestWithParam<Precision> {
protected:
  static input::Drive drive(DriveStyle style, std::array<double, 3> acceleration, int across = 0) {
    input::Drive result;
    result.style = style, result.acceleration = acceleration, result.across = across;
    return result;
  }
  System freeParticles(std::array<double, 3> size) const {
    System system{test::emptyDeck(size, GetParam(), timestep, {{"A", 1.0}, {"B", 2.5}}), {}};
    test::addDpd(system.deck, "*", "*", 0.0, 0.0, 0.0);
    test::fill(system, 100, 0.4, 0.0, 7);
    return system;
  }
  // Acceleration of particle i -> path x0 + v0 t + g t^2/2.
  template <class Acceleration>
  void expectFreeFall(const System& system, const Acceleration& acceleration) const {
    const auto engine = system.engine();
    test::advance(*engine, 0, steps, test::everything);
    ASSERT_FALSE(engine->failure().has_value()) << *engine->failure();
    const auto s = engine->snapshot(steps);
    const Box box = boxOf(system.deck);
    const double t = timestep * steps, bound = GetParam() == Precision::single ? 3e-4 : 1e-11;
    for (int i = 0; i < system.particles.count(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const double x0 = toLength(box, axis, system.particles.position[i][axis]),
                     v0 = system.particles.velocity[i][axis];
        const double g = acceleration(i)[axis];
        ASSERT_NEAR(s.position[3 * i + axis] + s.image[3 * i + axis] * box.size[axis], x0 + v0 * t + 0.5 * g * t * t,
                    bound)
            << i << " " << axis;
        ASSERT_NEAR(s.velocity[3 * i + axis], v0 + g * t, bound);
        ASSERT_NEAR(s.force[3 * i + axis], g * s.mass[i], 1e-6);
      }
  }
};

TEST_P(EngineDrives, ConstantAcceleration) {
  System system = freeParticles({6.0, 5.0, 4.0});
  system.deck.drives = {drive(DriveStyle::constant, {1.0, -0.5, 2.0})};
  for (auto& v : system.particles.velocity) v = {0.3, 1.0, -2.0};
  expectFreeFall(system, [](int) { return std::array<double, 3>{1.0, -0.5, 2.0}; });
}

TEST_P(EngineDrives, DrivesAdd) {
  System system = freeParticles({6.0, 5.0, 4.0});
  system.deck.drives = {drive(DriveStyle::constant, {1.0, 0.0, 0.0}), drive(DriveStyle::constant, {-0.25, 0.5, 0.0})};
  expectFreeFall(system, [](int) { return std::array<double, 3>{0.75, 0.5, 0.0}; });
}

TEST_P(EngineDrives, DoublePoiseuilleAlongEveryAxis) {
  for (int across = 0; across < 3; ++across) {
    System system = freeParticles({6.0, 5.0, 4.0});
    std::array<double, 3> g{};
    g[(across + 1) % 3] = 1.5;
    system.deck.drives = {drive(DriveStyle::double_poiseuille, g, across)};
    const Box box = boxOf(system.deck);
    expectFreeFall(system, [&](int i) {
      std::array<double, 3> result = g;
      const bool upper = toLength(box, across, system.particles.position[i][across]) >= 0.5 * box.size[across];
      for (double& c : result) c *= upper ? -1.0 : 1.0;
      return result;
    });
  }
}

TEST_P(EngineDrives, DoublePoiseuilleBetweenWalls) {
  System system = freeParticles({6.0, 5.0, 4.0});
  test::addWall(system.deck, 2, input::FaceStyle::bounce_back, input::FaceStyle::bounce_back);
  system.particles = {};
  test::fill(system, 100, 0.4, 0.0, 7);  // coordinates of a walled axis
  system.deck.drives = {drive(DriveStyle::double_poiseuille, {0.0, 0.8, 0.0}, 2),
                        drive(DriveStyle::constant, {0.4, 0.0, 0.0})};
  const Box box = boxOf(system.deck);
  expectFreeFall(system, [&](int i) {
    const bool upper = toLength(box, 2, system.particles.position[i][2]) >= 2.0;
    return std::array<double, 3>{0.4, upper ? -0.8 : 0.8, 0.0};
  });
}

INSTANTIATE_TEST_SUITE_P(Precision, EngineDrives, testing::ValuesIn(test::allPrecisions),
                         [](const auto& instance) { return test::titleOf(instance.param); });

}  // namespace
}  // namespace mesowarp
