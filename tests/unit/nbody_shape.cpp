// How all-pairs sums are spread over a GPU: every body i and every j is taken once, and few i still fill the device.
#include <gtest/gtest.h>

#include "backend/all_pairs_shape.hpp"

namespace mesowarp::backend {
namespace {

TEST(NbodyShape, CoversEveryBodyAndPart) {
  for (const int i : {1, 7, 64, 500, 1000, 4096, 20000, 262144, 3000000})
    for (const int j : {i, 2 * i + 3, 65536})
      for (const int perWide : {2, 4}) {
        const PairsShape s = pairsShape(i, j, perWide, 2, 132, 4);
        const long long each = s.sliced ? 2LL << s.lanesLog2 : 1LL * wideThreads * perWide;
        EXPECT_GE(s.blocks * each, i);
        EXPECT_LT((s.blocks - 1) * each, i);
        EXPECT_GE(s.parts, 1);
        EXPECT_LE(s.parts, ceilDivide(j, s.sliced ? slicedTile : wideTile));
        if (!s.sliced) continue;
        EXPECT_GE(s.lanesLog2, 1);
        EXPECT_GE(slicedThreads >> s.lanesLog2, 2);
      }
}

// The N-body paper's section 3.4: subsets of fewer than 1,000 among many must not leave the device idle.
TEST(NbodyShape, FewBodiesAmongManyFillTheDevice) {
  for (const int i : {10, 100, 999}) {
    const PairsShape s = pairsShape(i, 65536, 4, 2, 132, 4);
    EXPECT_GE(s.blocks * s.parts, 132) << i;
  }
}

// Long sums keep at least nine tenths of the blocks' time.
TEST(NbodyShape, RoundsAreWellFilled) {
  for (const int n : {16384, 20000, 65536, 100000, 262144, 1000000}) {
    const int blocks = ceilDivide(n, 512), tiles = ceilDivide(n, wideTile), slots = 528, parts = bestParts(blocks, n, slots);
    const double rounds = ceilDivide(blocks * parts, slots), length = ceilDivide(tiles, parts);
    EXPECT_GT(static_cast<double>(blocks) * tiles / (rounds * slots * length), 0.9) << n;
  }
}

}  // namespace
}  // namespace mesowarp::backend
