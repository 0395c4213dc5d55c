// How an all-pairs sum is spread over a GPU: by the numbers of bodies and the device, never by timing, so that a deck gives
// the same bits every time.
#pragma once

#include <algorithm>

namespace mesowarp::backend {

// wide: a thread has several i and goes through all j of its part. sliced: the threads of a block share its few i; `lanes`
// threads side by side have different i, and each such slice takes every so-many-th j (N-body paper, section 3.4, within a
// block).
struct PairsShape {
  bool sliced = false;
  int lanesLog2 = 0;  // sliced
  int blocks = 0;  // along i
  int parts = 0;   // of the j
};

constexpr int wideThreads = 128, wideTile = 128;      // bodies j of a wide tile: one a thread
constexpr int slicedThreads = 512, slicedTile = 512;

inline int ceilDivide(int a, int b) { return (a + b - 1) / b; }

inline PairsShape wideShape(int i, int j, int perWide, int parts) {
  return {false, 0, ceilDivide(i, wideThreads * perWide), std::min(parts, ceilDivide(j, wideTile))};
}

// The number of parts that keeps the most of `slots` blocks busy: blocks come in rounds of that many, a round lasts as long as its
// longest part, and what each part's sums cost is like five more j.
inline int bestParts(int blocks, int j, int slots) {
  const int tiles = ceilDivide(j, wideTile);
  int best = 1;
  double most = 0.0;
  for (int parts = 1; parts <= std::min(64, tiles); ++parts) {
    const double rounds = ceilDivide(blocks * parts, slots), length = ceilDivide(tiles, parts);
    const double busy = static_cast<double>(blocks) * tiles / (rounds * slots * length) / (1.0 + 5.0 * parts / j);
    if (busy > most * 1.0001) most = busy, best = parts;
  }
  return best;
}

// i: bodies summed for, j: all bodies; perWide, perSliced: i a thread; resident: wide blocks that a multiprocessor holds.
inline PairsShape pairsShape(int i, int j, int perWide, int perSliced, int multiprocessors, int resident) {
  PairsShape shape;
  const int wideBlocks = ceilDivide(i, wideThreads * perWide), slots = multiprocessors * resident;
  // Where so many parts would be needed to fill the device that their sums count, blocks share i instead.
  shape.sliced = static_cast<long long>(wideBlocks) * 40 < slots;
  if (shape.sliced) {
    const int wanted = ceilDivide(i, 2 * multiprocessors);  // i a block, with two blocks a multiprocessor
    shape.lanesLog2 = 1;
    while ((perSliced << shape.lanesLog2) < wanted && (4 << shape.lanesLog2) < slicedThreads) ++shape.lanesLog2;
    shape.blocks = ceilDivide(i, perSliced << shape.lanesLog2);
    const int tiles = ceilDivide(j, slicedTile);
    shape.parts = std::clamp(2 * multiprocessors / shape.blocks, 1, std::max(1, tiles / 2));
    return shape;
  }
  shape.blocks = wideBlocks;
  shape.parts = bestParts(wideBlocks, j, slots);
  return shape;
}

}  // namespace mesowarp::backend
