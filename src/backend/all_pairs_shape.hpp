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
  int lanes = 0;  // sliced: power of two
  int blocks = 0; // along i
  int parts = 0;  // of the j
};

constexpr int wideThreads = 128, wideTile = 128;      // bodies j of a wide tile: one a thread
constexpr int slicedThreads = 512, slicedTile = 512;

inline int ceilDivide(int a, int b) { return (a + b - 1) / b; }

inline PairsShape wideShape(int i, int j, int perWide, int parts) {
  return {false, 0, ceilDivide(i, wideThreads * perWide), std::min(parts, ceilDivide(j, wideTile))};
}

// i: bodies summed for, j: all bodies; perWide, perSliced: i a thread; resident: wide blocks that a multiprocessor holds.
inline PairsShape pairsShape(int i, int j, int perWide, int perSliced, int multiprocessors, int resident) {
  PairsShape shape;
  const int wideBlocks = ceilDivide(i, wideThreads * perWide), slots = multiprocessors * resident;
  // Where so many parts would be needed to fill the device that their sums count, blocks share i instead.
  shape.sliced = static_cast<long long>(wideBlocks) * 40 < slots;
  if (shape.sliced) {
    const int wanted = ceilDivide(i, 2 * multiprocessors);  // i a block, with two blocks a multiprocessor
    shape.lanes = 2;
    while (shape.lanes * perSliced < wanted && shape.lanes < slicedThreads / 4) shape.lanes *= 2;
    shape.blocks = ceilDivide(i, shape.lanes * perSliced);
    const int tiles = ceilDivide(j, slicedTile);
    shape.parts = std::clamp(2 * multiprocessors / shape.blocks, 1, std::max(1, tiles / 2));
    return shape;
  }
  // As many blocks as fill the device a whole number of times, at least 16 where i are many: the last round then costs little.
  shape.blocks = wideBlocks;
  const int tiles = ceilDivide(j, wideTile);
  const int rounds = wideBlocks >= slots ? 16 : wideBlocks >= slots / 4 ? 4 : 1;
  shape.parts = std::clamp(rounds * slots / wideBlocks, 1, std::max(1, tiles / 3));
  return shape;
}

}  // namespace mesowarp::backend
