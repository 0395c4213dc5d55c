// Who may lose sight of a partner by the next build: against what happens, with random steps.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "grid/ghost_margin.hpp"

namespace mesowarp {
namespace {

constexpr double size = 12.0, part = 4.0, width = 4.0 / 3.0, margin = 0.225;
const Box box{{size, size, size}};

// The middle one of three parts along x.
GhostMargin marginOf(double wide, int flow = -1) {
  Domain domain{{3, 1, 1}, {1, 0, 0}, {true, true, true}, {}};
  Box here = box;
  if (flow >= 0) domain.sheared = 1, domain.periodic[1] = false, here.periodic[1] = false;
  return GhostMargin(here, domain, {wide, width, width}, {width, width, width}, margin, flow);
}
u32 ticks(double x) { return static_cast<u32>(std::floor((x / size - std::floor(x / size)) * 4294967296.0)); }
int found(const GhostMargin& margins, double x, double partner) {
  return margins({ticks(x), 0, 0}, {ticks(partner), 0, 0});
}
// Of the part that x is in, around which ghosts reach that far; whether the partner, which is not further than half a
// box, is out of it.
bool isLost(double x, double partner, double reach) {
  const double low = std::floor(x / part) * part;
  return partner < low - reach || partner > low + part + reach;
}

class GhostMargins : public testing::Test {
protected:
  double number(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
  // Of two that are held together: neither goes further than that, nor they from each other. lab: both go along.
  void step(double& x, double& partner, double lab = 0.0) {
    for (;;) {
      const double a = number(-margin, margin), b = number(-margin, margin);
      if (std::abs(a - b) > margin) continue;
      x += a + lab, partner += b + lab;
      return;
    }
  }
  std::mt19937_64 engine_{20261130};
};

TEST_F(GhostMargins, NobodyIsLostUnannounced) {
  const GhostMargin narrow = marginOf(width), wide = marginOf(1.5 * width);
  int lost = 0, lostWide = 0, announced = 0;
  for (int k = 0; k < 400000; ++k) {
    double x = number(part, 2.0 * part), partner = x + number(-2.5, 2.5);
    const int of = found(narrow, x, partner), ofWide = found(wide, x, partner);
    EXPECT_EQ(of == GhostMargin::fine, (of & GhostMargin::lost) == 0);  // nothing is between the two
    EXPECT_EQ((ofWide & GhostMargin::beyondNarrow) != 0, of != GhostMargin::fine);
    announced += of != GhostMargin::fine;
    step(x, partner);
    if (isLost(x, partner, width)) {
      ++lost;
      EXPECT_NE(of, GhostMargin::fine) << x << ' ' << partner;
    }
    if (isLost(x, partner, 1.5 * width)) {
      ++lostWide;
      EXPECT_NE(ofWide & GhostMargin::lost, 0) << x << ' ' << partner;
    }
  }
  EXPECT_GT(lost, 10000);
  EXPECT_GT(lostWide, 1000);
  EXPECT_LT(announced, 2 * lost);
}

TEST_F(GhostMargins, ShortBondsAreFine) {
  const GhostMargin margins = marginOf(width);
  for (int k = 0; k < 100000; ++k) {
    const double x = number(part, 2.0 * part), partner = x + number(-1.0, 1.0) * (width - margin - 1e-6);
    EXPECT_EQ(found(margins, x, partner), GhostMargin::fine) << x << ' ' << partner;
  }
}

TEST_F(GhostMargins, AlongAFlowDistancesCount) {
  const GhostMargin margins = marginOf(width, 0);
  int lost = 0;
  for (int k = 0; k < 400000; ++k) {
    double x = number(part, 2.0 * part), partner = x + number(-2.5, 2.5);
    const int of = found(margins, x, partner);
    step(x, partner, number(-1.0, 1.0));
    if (isLost(x, partner, width)) {
      ++lost;
      EXPECT_NE(of, GhostMargin::fine) << x << ' ' << partner;
    }
  }
  EXPECT_GT(lost, 10000);
  // Through a sheared face: where the partner is stored is not where it is seen.
  const u32 bottom = ticks(0.1) / 2, top = ticks(11.9) / 2;
  EXPECT_EQ(margins({ticks(5.0), bottom, 0}, {ticks(8.0), top, 0}), GhostMargin::fine);
  EXPECT_NE(margins({ticks(5.0), bottom, 0}, {ticks(8.0), bottom, 0}), GhostMargin::fine);
}

TEST_F(GhostMargins, OnlyWhoIsACellFromAFaceIsNear) {
  const GhostMargin margins = marginOf(width);
  for (int k = 0; k < 10000; ++k) {
    const double x = number(part, 2.0 * part);
    const bool near = x - part < width || 2.0 * part - x < width;
    if (std::abs(x - part - width) < 1e-6 || std::abs(2.0 * part - x - width) < 1e-6) continue;
    EXPECT_EQ(margins.near({ticks(x), 77, 99}), near) << x;
  }
}

}  // namespace
}  // namespace mesowarp
