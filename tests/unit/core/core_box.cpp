// Fixed-point coordinates, image counters.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/box.hpp"
#include "state/particles.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp {
namespace {

const Box periodicBox{{10.0, 7.3, 1e-3}, {true, true, true}};
const Box walledBox{{10.0, 7.3, 1e-3}, {false, false, false}};

TEST(CoreBox, PeriodAndTick) {
  EXPECT_EQ(periodicBox.period(1), 7.3);
  EXPECT_EQ(walledBox.period(1), 14.6);
  EXPECT_EQ(periodicBox.tick(0, 32), 10.0 / 4294967296.0);
  EXPECT_EQ(walledBox.tick(0, 32), 20.0 / 4294967296.0);
  EXPECT_DOUBLE_EQ(walledBox.volume(), 0.073);
}

TEST(CoreBox, RoundTrip) {
  test::Uniform uniform(1);
  for (const Box& box : {periodicBox, walledBox})
    for (int axis = 0; axis < 3; ++axis)
      for (int k = 0; k < 100000; ++k) {
        const double x = uniform() * box.size[axis];
        const u64 fixed = toFixed(box, axis, x);
        ASSERT_NEAR(toLength(box, axis, fixed), x, box.period(axis) * 0x1p-52);
        ASSERT_NEAR(toLength(box, axis, static_cast<u32>(fixed >> 32)), x, box.tick(axis, 32) * 1.0000001);
        ASSERT_TRUE(box.periodic[axis] || fixed >> 63 == 0);
      }
}

TEST(CoreBox, ExactFractions) {
  const Box box{{4.0, 4.0, 4.0}, {true, false, true}};
  EXPECT_EQ(toFixed(box, 0, 0.0), 0u);
  EXPECT_EQ(toFixed(box, 0, 1.0), u64{1} << 62);
  EXPECT_EQ(toFixed(box, 0, 3.0), u64{3} << 62);
  EXPECT_EQ(toFixed(box, 1, 1.0), u64{1} << 61);
  EXPECT_EQ(toFixed(box, 1, 3.0), u64{3} << 61);
}

TEST(CoreBox, WrapsPeriodicAxes) {
  const Box box{{4.0, 4.0, 4.0}, {true, true, true}};
  for (const double x : {0.25, 1.0, 3.75}) {
    for (const double images : {-3.0, -1.0, 1.0, 1000.0})
      EXPECT_EQ(toFixed(box, 0, x + 4.0 * images), toFixed(box, 0, x));
  }
  EXPECT_EQ(toFixed(box, 0, 4.0), 0u);
  EXPECT_EQ(toFixed(box, 0, -1e-30), 0u);  // rounds to the box edge, which is 0
  EXPECT_EQ(toFixed(box, 0, -0.0), 0u);
  EXPECT_GT(toFixed(box, 0, std::nextafter(4.0, 0.0)), ~u64{0} - 4096);
}

TEST(CoreBox, ClampsAtWalls) {
  const Box box{{4.0, 4.0, 4.0}, {false, true, true}};
  const u64 last = (u64{1} << 63) - 1;
  EXPECT_EQ(toFixed(box, 0, -0.1), 0u);
  EXPECT_EQ(toFixed(box, 0, 4.0), last);
  EXPECT_EQ(toFixed(box, 0, 1e300), last);
  EXPECT_LE(toFixed(box, 0, std::nextafter(4.0, 0.0)), last);
  EXPECT_EQ(toFixed(box, 0, std::numeric_limits<double>::quiet_NaN()), 0u);
}

// Integer differences are the nearest image.
TEST(CoreBox, DifferencesAreNearestImages) {
  test::Uniform uniform(2);
  for (const Box& box : {periodicBox, walledBox})
    for (int k = 0; k < 100000; ++k) {
      const int axis = k % 3;
      const double a = uniform() * box.size[axis], b = uniform() * box.size[axis];
      double nearest = a - b;
      if (box.periodic[axis]) nearest -= box.size[axis] * std::round(nearest / box.size[axis]);
      const i64 ticks = static_cast<i64>(toFixed(box, axis, a) - toFixed(box, axis, b));
      ASSERT_NEAR(static_cast<double>(ticks) * box.tick(axis, 64), nearest, 1e-15 * box.period(axis));
    }
}

template <class Coord>
class CoreCrossings : public testing::Test {};
using Coordinates = testing::Types<u32, u64>;
TYPED_TEST_SUITE(CoreCrossings, Coordinates);

TYPED_TEST(CoreCrossings, CountWraps) {
  using Coord = TypeParam;
  const Coord last = ~Coord{0}, quarter = Coord{1} << (8 * sizeof(Coord) - 2);
  EXPECT_EQ(crossings<Coord>(5, 5), 0);
  EXPECT_EQ(crossings<Coord>(5, 6), 0);
  EXPECT_EQ(crossings<Coord>(6, 5), 0);
  EXPECT_EQ(crossings<Coord>(last, 0), 1);
  EXPECT_EQ(crossings<Coord>(0, last), -1);
  EXPECT_EQ(crossings<Coord>(3 * quarter, quarter - 1), 1);
  EXPECT_EQ(crossings<Coord>(quarter - 1, 3 * quarter), -1);
  EXPECT_EQ(crossings<Coord>(quarter, 3 * quarter - 1), 0);
  EXPECT_EQ(crossings<Coord>(3 * quarter - 1, quarter), 0);
}

// A random walk with steps below half the box: position + crossings is the path.
TYPED_TEST(CoreCrossings, FollowAWalk) {
  using Coord = TypeParam;
  constexpr int bits = 8 * sizeof(Coord);
  test::Uniform uniform(3);
  Coord at = 0;
  double path = 0.0;  // in boxes
  int images = 0;
  for (int k = 0; k < 100000; ++k) {
    const double step = std::ldexp(std::floor(std::ldexp(uniform(-0.49, 0.49), 30)), -30);
    const Coord next = at + static_cast<Coord>(static_cast<i64>(std::ldexp(step, bits)));
    images += crossings(at, next);
    at = next, path += step;
    ASSERT_EQ(images + std::ldexp(static_cast<double>(at), -bits), path) << "step " << k;
  }
}

TEST(CoreImages, PackAndUnpack) {
  constexpr i32 most = farthestImage - 1;
  for (const int x : {-farthestImage, -513, -1, 0, 1, 512, most})
    for (const int y : {-farthestImage, -7, 0, 3, most})
      for (const int z : {-farthestImage, -100, 0, 99, most}) {
        const Vec3<i32> back = unpackImage(packImage({x, y, z}));
        EXPECT_EQ(back.x, x);
        EXPECT_EQ(back.y, y);
        EXPECT_EQ(back.z, z);
      }
  const Vec3<i32> wrapped = unpackImage(packImage({farthestImage, -farthestImage - 1, 2 * farthestImage}));
  EXPECT_EQ(wrapped.x, -farthestImage);
  EXPECT_EQ(wrapped.y, most);
  EXPECT_EQ(wrapped.z, 0);
}

}  // namespace
}  // namespace mesowarp
