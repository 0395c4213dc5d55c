// How all-pairs sums are spread over a GPU: every body i and every j is taken once, and few i still fill the device.
#include <gtest/gtest.h>
#include <string>

#include "kernels/all_pairs/all_pairs_shape.hpp"

namespace mesowarp::backend {
namespace {

TEST(NbodyShape, FewCoverEveryBodyAndPart) {
  for (const int i : {1, 7, 64, 500, 1000, 4096})
    for (const int j : {i, 2 * i + 3, 65536})
      for (const int perWarp : {2, 8}) {
        const PairsShape s = fewShape(i, j, perWarp, 132);
        EXPECT_GE(s.blocks * perWarp, i);
        EXPECT_LT((s.blocks - 1) * perWarp, i);
        EXPECT_GE(s.parts, 1);
        EXPECT_LE(s.parts, std::max(1, ceilDivide(j, fewTile)));
      }
}

// The N-body paper's section 3.4: subsets of fewer than 1,000 among many must not leave the device idle.
TEST(NbodyShape, FewBodiesAmongManyFillTheDevice) {
  for (const int i : {10, 100, 383}) {
    EXPECT_TRUE(fewBodies(i, 65536, 4, false, 528));
    const PairsShape s = fewShape(i, 65536, 4, 132);
    EXPECT_GE(s.blocks * s.parts, 132) << i;
  }
  for (const int i : {384, 999, 8000}) {
    EXPECT_FALSE(fewBodies(i, 65536, 4, true, 528));
    const int blocks = ceilDivide(i, 512);
    EXPECT_GE(blocks * bestParts(blocks, 65536, 528), 400) << i;
  }
  EXPECT_TRUE(fewBodies(8000, 8000, 4, true, 528));
  EXPECT_FALSE(fewBodies(20000, 20000, 4, true, 528));
}

// Tiles meet at each distance once, whatever room there is for their totals; none is written twice in a launch, each in
// the first.
void expectTilesMeetOnce(const PairsShape& s, std::size_t bytes, std::size_t room) {
  EXPECT_LE(s.width * bytes, std::max(room, bytes));
  EXPECT_LE(s.width, mutualDistances(s.blocks));
  int rows = 0;
  for (int first = 0, last; first <= s.blocks / 2; first = last) {
    last = endOfLaunch(s, first);
    ASSERT_GT(last, first);
    int slots = 0;
    for (int d = first; d < last; ++d)
      if (d > 0 && 2 * d != s.blocks) slots = std::max(slots, d - std::max(first, 1) + 1);
    EXPECT_LE(slots, s.width);
    if (first == 0) {
      EXPECT_EQ(slots, s.width);
      rows = rowsOfLaunch(s, first, last);
      EXPECT_EQ(s.width + rows, s.parts);
    }
    EXPECT_LE(rowsOfLaunch(s, first, last), rows);
  }
  if (room >> 40) {
    EXPECT_EQ(endOfLaunch(s, 0), s.blocks / 2 + 1);
  }
}
TEST(NbodyShape, TilesMeetOnce) {
  for (const int bodies : {1, 64, 65, 200, 256, 257, 1000, 5000, 16384, 65536, 100001, 1000000})
    for (const std::size_t room : {std::size_t{0}, std::size_t{40} << 20, std::size_t{4} << 40}) {
      SCOPED_TRACE(std::to_string(bodies) + " bodies, room " + std::to_string(room));
      const std::size_t bytes = std::size_t{12} * bodies;
      const PairsShape half = halfShape(bodies, 128, bytes, room, 132);
      const PairsShape narrow = narrowShape(bodies, 1, bytes, room), four = narrowShape(bodies, 4, bytes, room);
      EXPECT_GE(half.blocks * half.warps * 128, bodies);
      EXPECT_GE(narrow.blocks * 32 * narrowBodies, bodies);
      expectTilesMeetOnce(half, bytes, room);
      expectTilesMeetOnce(narrow, bytes, room);
      expectTilesMeetOnce(four, bytes, room);
    }
}

// 4,096 bodies are 64 tiles, which meet 2,112 times: sixteen for each of 132 multiprocessors, four of them in a block.
TEST(NbodyShape, DistancesAbreastFillTheDevice) {
  EXPECT_EQ(bestAbreast(4096, 4, 132), 4);
  EXPECT_EQ(bestAbreast(4096, 1, 132), 1);
  EXPECT_EQ(bestAbreast(2100, 4, 132), 1);
}

// Long sums keep at least nine tenths of the blocks' time.
TEST(NbodyShape, RoundsAreWellFilled) {
  for (const int n : {16384, 20000, 65536, 100000, 262144, 1000000}) {
    const int blocks = ceilDivide(n, 512), tiles = ceilDivide(n, wideTile), slots = 528,
              parts = bestParts(blocks, n, slots);
    const double rounds = ceilDivide(blocks * parts, slots), length = ceilDivide(tiles, parts);
    EXPECT_GT(static_cast<double>(blocks) * tiles / (rounds * slots * length), 0.9) << n;
  }
}

}  // namespace
}  // namespace mesowarp::backend
