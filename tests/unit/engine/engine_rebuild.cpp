// When the neighbour list is rebuilt, that it stays complete, and failures by tag and step.
#include <gtest/gtest.h>

#include "tests/unit/support/test_reference.hpp"

namespace mesowarp {
namespace {

using input::Precision;
using input::RebuildStyle;
using test::System;

// One free particle that moves 0.0096 per step; half the skin is 0.15: 15 steps stay within, 16 do not.
System walker(RebuildStyle style, int every, Precision precision) {
  System system{test::emptyDeck({5.0, 5.0, 5.0}, precision, 0.01), {}};
  test::addDpd(system.deck, "A", "A", 0.0, 0.0, 0.0);
  system.deck.neighbor = {0.3, false, style, every};
  test::place(system, {1.0, 1.0, 1.0}, {0.96 * 0.6, 0.0, -0.96 * 0.8});
  return system;
}

class EngineRebuild : public testing::TestWithParam<Precision> {};

// A GPU plans how long a list is to be used and looks later: never too long, and soon as long as can be.
TEST_P(EngineRebuild, ByDisplacementPlanned) {
  if (!backend::onGpu) GTEST_SKIP() << "a CPU looks at each step";
  const auto engine = walker(RebuildStyle::displacement, 5, GetParam()).engine();
  std::vector<i64> gaps;
  i64 last = 0;
  for (int k = 0; k <= 800; ++k) {
    test::advance(*engine, k, k, k % 7 == 0 ? test::everything : Wanted{});
    ASSERT_FALSE(engine->failure().has_value());
    const i64 build = engine->counters().lastRebuild;
    if (build != last) gaps.push_back(build - last);
    last = build;
  }
  for (const i64 gap : gaps) EXPECT_LE(gap, 16);
  ASSERT_GT(gaps.size(), 40u);
  for (std::size_t k = gaps.size() - 20; k < gaps.size(); ++k) EXPECT_EQ(gaps[k], 16);
  EXPECT_EQ(engine->counters().dangerousBuilds, 0);
}

TEST_P(EngineRebuild, ByDisplacement) {
  if (backend::onGpu) GTEST_SKIP() << "a GPU plans its builds";
  const auto engine = walker(RebuildStyle::displacement, 5, GetParam()).engine();
  std::vector<i64> builds;
  for (int k = 0; k <= 100; ++k) {
    const i64 before = engine->counters().rebuilds;
    test::advance(*engine, k, k);
    if (engine->counters().rebuilds != before) {
      builds.push_back(k);
      EXPECT_EQ(engine->counters().lastRebuild, k);
    }
  }
  EXPECT_EQ(builds, (std::vector<i64>{0, 16, 32, 48, 64, 80, 96}));
  EXPECT_EQ(engine->counters().dangerousBuilds, 0);
}

TEST_P(EngineRebuild, EverySoManySteps) {
  const auto engine = walker(RebuildStyle::every, 7, GetParam()).engine();
  test::advance(*engine, 0, 70);
  EXPECT_EQ(engine->counters().rebuilds, 11);
  EXPECT_EQ(engine->counters().lastRebuild, 70);
  EXPECT_EQ(engine->counters().dangerousBuilds, 0);
}

TEST_P(EngineRebuild, DangerousBuildsAreCounted) {
  const auto safe = walker(RebuildStyle::every, 16, GetParam()).engine(),
             late = walker(RebuildStyle::every, 17, GetParam()).engine();
  test::advance(*safe, 0, 160);
  test::advance(*late, 0, 170);
  EXPECT_EQ(safe->counters().dangerousBuilds, 0);
  EXPECT_EQ(late->counters().dangerousBuilds, 10);
  System tiny = walker(RebuildStyle::every, 5, GetParam());
  tiny.deck.neighbor.skin = 0.001;
  const auto engine = tiny.engine();
  test::advance(*engine, 0, 50);
  EXPECT_EQ(engine->counters().dangerousBuilds, 10);
}

// After hundreds of steps under either policy, forces are those of all pairs.
TEST_P(EngineRebuild, ListsStayComplete) {
  for (const RebuildStyle style : {RebuildStyle::every, RebuildStyle::displacement}) {
    System system{test::emptyDeck({5.0, 4.0, 3.0}, GetParam(), 0.01), {}};
    test::addWall(system.deck, 2, input::FaceStyle::bounce_back, input::FaceStyle::bounce_forward);
    test::addDpd(system.deck, "A", "A", 25.0, 0.0, 0.0);
    system.deck.neighbor = {0.4, false, style, 4};
    test::fill(system, 180, 0.3, 1.0, 6);
    const auto engine = system.engine();
    const Box box = boxOf(system.deck);
    const test::ReferenceForces forces(system.deck);
    for (int k = 0; k <= 400; k += 40) {
      test::advance(*engine, std::max(0, k - 39), k, test::everything);
      ASSERT_FALSE(engine->failure().has_value()) << *engine->failure();
      const auto s = engine->snapshot(k);
      HostParticles state = system.particles;
      for (int i = 0; i < state.count(); ++i)
        for (int axis = 0; axis < 3; ++axis) state.position[i][axis] = toFixed(box, axis, s.position[3 * i + axis]);
      const auto exact = forces(state, k);
      const double bound = (GetParam() == Precision::single ? 2e-5 : 1e-10) * exact.typicalForce();
      for (int i = 0; i < state.count(); ++i)
        for (int axis = 0; axis < 3; ++axis)
          ASSERT_NEAR(s.force[3 * i + axis], static_cast<double>(exact.force[i][axis]), bound)
              << "step " << k << ", particle " << i;
    }
    EXPECT_GT(engine->counters().rebuilds, 10);
    EXPECT_EQ(engine->counters().dangerousBuilds, 0);
  }
}

// Images count every crossing of the box edge, through many rebuilds.
TEST_P(EngineRebuild, ImagesFollowThePath) {
  for (const RebuildStyle style : {RebuildStyle::every, RebuildStyle::displacement}) {
    System system = walker(style, 10, GetParam());
    system.particles.velocity[0] = {9.0, -6.0, 3.0};
    const auto engine = system.engine();
    for (int k = 0; k <= 1000; k += 100) {
      test::advance(*engine, std::max(0, k - 99), k, test::everything);
      const auto s = engine->snapshot(k);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(s.position[axis] + 5.0 * s.image[axis], 1.0 + 0.01 * k * system.particles.velocity[0][axis], 1e-4)
            << "step " << k;
    }
  }
}

// Also where it is long: some 700 boxes along one axis, and as many back along another.
TEST_P(EngineRebuild, ImagesFollowALongPath) {
  System system = walker(RebuildStyle::every, 1, GetParam());
  system.particles.velocity[0] = {70.0, -60.0, 0.0};  // 0.92 in a step, where 1 would be too far
  const auto engine = system.engine();
  test::advance(*engine, 0, 5000, test::everything);
  EXPECT_EQ(engine->failure(), std::nullopt);
  const auto s = engine->snapshot(5000);
  EXPECT_EQ(s.image[0], 700);
  EXPECT_EQ(s.image[1], -600);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(s.position[axis] + 5.0 * s.image[axis], 1.0 + 50.0 * system.particles.velocity[0][axis], 1e-3);
}

TEST_P(EngineRebuild, StepTooLargeIsReported) {
  System system = walker(RebuildStyle::displacement, 5, GetParam());
  for (int k = 0; k < 20; ++k) test::place(system, {0.2 * k, 3.0, 4.0 - 0.2 * k}, {});
  input::Drive drive;  // displacement of step k: dt^2 g (k + 1/2) = 0.1 (k + 1/2); the cutoff is 1
  drive.acceleration = {1000.0, 0.0, 0.0};
  system.particles.velocity.assign(21, {-30.0, 0.0, 0.0});  // 0.3 back: 0.1 (k - 2.5)
  system.particles.velocity[13] = {-20.0, 0.0, 0.0};        // 0.1 (k - 1.5): at step 12
  system.deck.drives = {drive};
  const auto engine = system.engine();
  test::advance(*engine, 0, 11);
  EXPECT_FALSE(engine->failure().has_value()) << *engine->failure();
  test::advance(*engine, 12, 14);
  ASSERT_TRUE(engine->failure().has_value());
  EXPECT_NE(engine->failure()->find("step 12:"), std::string::npos) << *engine->failure();
  EXPECT_NE(engine->failure()->find("particle 13 "), std::string::npos) << *engine->failure();
}

TEST_P(EngineRebuild, NotANumberIsReported) {
  System system = walker(RebuildStyle::displacement, 5, GetParam());
  test::place(system, {2.0, 2.0, 2.0}, {std::nan(""), 0.0, 0.0});
  const auto engine = system.engine();
  test::advance(*engine, 0, 0);
  ASSERT_TRUE(engine->failure().has_value());
  EXPECT_NE(engine->failure()->find("particle 1 "), std::string::npos) << *engine->failure();
}

// Two beads 0.5 apart part at 2 a time unit: 1.02 apart at step 26, 1 apart (r_max) at step 25 within rounding.
TEST_P(EngineRebuild, BrokenBondIsReported) {
  System system = walker(RebuildStyle::displacement, 5, GetParam());
  for (int k = 0; k < 6; ++k) test::place(system, {0.5 * k, 3.0, 2.0}, {});
  test::addBond(system.deck, input::BondStyle::fene, 1e-9, 1.01);
  test::place(system, {2.0, 2.0, 2.0}, {-1.0, 0.0, 0.0});
  test::place(system, {2.5, 2.0, 2.0}, {1.0, 0.0, 0.0});
  system.particles.bonds = {{8, 7, 0}};
  const auto engine = system.engine();
  test::advance(*engine, 0, 25);
  EXPECT_FALSE(engine->failure().has_value()) << *engine->failure();
  test::advance(*engine, 26, 30);
  ASSERT_TRUE(engine->failure().has_value());
  EXPECT_NE(engine->failure()->find("step 26:"), std::string::npos) << *engine->failure();
  EXPECT_NE(engine->failure()->find("bond of particle 7 "), std::string::npos) << *engine->failure();
}

INSTANTIATE_TEST_SUITE_P(Precision, EngineRebuild, testing::ValuesIn(test::allPrecisions),
                         [](const auto& instance) { return test::titleOf(instance.param); });

}  // namespace
}  // namespace mesowarp
