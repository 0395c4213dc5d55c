// How an all-pairs sum is spread over a GPU, in four styles, and which of them it is: by the numbers of bodies and the
// device, never by timing, so that a deck gives the same bits every time. half where bodies are many, all of them are
// asked for, nothing is excluded on the fly and sums are in single, double or fixed point; narrow, the same for fewer;
// few for still fewer, and for subsets; wide else. Few and wide split the j into parts over the grid where the i are
// too few.
#pragma once

#include <algorithm>
#include <cstddef>

#include "device/tuning.hpp"

namespace mesowarp::backend {

// wide: a thread has several i and goes through all j of its part. few: a warp has a few i, and its lanes take every
// 32nd j (N-body paper, section 3.4: i are replicated). half: each pair once, for both of its bodies; tiles of bodies
// meet by their distance. narrow: the same in small tiles, where there are not bodies enough to fill the device with
// pairs of large ones.
enum class PairsStyle { fastest, wide, few, half, narrow };

struct PairsShape {
  PairsStyle style = PairsStyle::wide;
  int blocks = 0;                        // along i
  int parts = 0;                         // of the j, each with totals of its own
  int warps = 0, width = 0, length = 0;  // half: of a block; distances per launch and per block
  int abreast = 1;                       // narrow: distances that a block takes side by side
};

constexpr int wideThreads = 128, wideTile = 128;  // bodies j of a wide tile: one per thread
constexpr int fewWarps = 4, fewTile = 32 * fewWarps;

inline int ceilDivide(int a, int b) { return (a + b - 1) / b; }

inline PairsShape wideShape(int i, int j, int perWide, int parts) {
  return {PairsStyle::wide, ceilDivide(i, wideThreads * perWide), std::min(parts, ceilDivide(j, wideTile))};
}

// The number of parts that keeps the most of `slots` blocks busy: blocks come in rounds of that many, a round lasts as
// long as its longest part, and what each part's sums cost is like five more j. As many parts as fill one round are
// tried, 64 at least.
inline int bestParts(int blocks, int j, int slots) {
  const int tiles = ceilDivide(j, wideTile);
  int best = 1;
  double most = 0.0;
  const int limit = std::min(tiles, std::max(64, slots / blocks));
  for (int parts = 1; parts <= limit; ++parts) {
    const double rounds = ceilDivide(blocks * parts, slots), length = ceilDivide(tiles, parts);
    const double busy = static_cast<double>(blocks) * tiles / (rounds * slots * length) / (1.0 + 5.0 * parts / j);
    if (busy > most * 1.0001) most = busy, best = parts;
  }
  return best;
}

// Where wide blocks would need so many parts to fill the device that their sums count. plain: sums in single precision,
// of which a warp can have so many that it stays ahead until pairs come once. More j than a multiprocessor's cache
// holds would come from L2 for every warp, four i at a time, which is slower than adding up many parts, unless most of
// a wide block's threads were idle.
inline bool fewBodies(int i, int j, int perWide, bool plain, int slots) {
  const long long blocks = ceilDivide(i, wideThreads * perWide);
  if (j > tuning::cachedBodies) return 4 * i < 3 * wideThreads * perWide;
  return (plain && i < tuning::halfFrom) || blocks * 40 < slots;
}
// Two blocks per multiprocessor at least, if there are j enough.
inline PairsShape fewShape(int i, int j, int perWarp, int multiprocessors) {
  const int blocks = ceilDivide(i, perWarp);
  return {PairsStyle::few, blocks,
          std::clamp(2 * multiprocessors / blocks, 1, std::max(1, ceilDivide(j, fewTile) / 8))};
}

// Distances at which tiles of bodies meet for both: all but 0 and, of an even number of tiles, half of it.
inline int mutualDistances(int tiles) { return (tiles - 1) / 2; }

// Distances of a launch from `first` on: 0 and half of the tiles need no totals of j.
inline int endOfLaunch(const PairsShape& shape, int first) {
  const int end = std::max(first, 1) + shape.width;
  return end > mutualDistances(shape.blocks) ? shape.blocks / 2 + 1 : end;
}

// Rows of blocks of a launch. Where several distances are taken side by side, tiles meet themselves in a row of their
// own.
inline int rowsOfLaunch(const PairsShape& shape, int first, int last) {
  if (shape.abreast > 1) return ceilDivide(last - std::max(first, 1), shape.abreast) + (first == 0 ? 1 : 0);
  return ceilDivide(last - first, shape.length);
}

// There are totals for so many distances; those of later launches are merged into them.
inline void addSlots(PairsShape& shape, std::size_t bytes, std::size_t room) {
  shape.width =
      static_cast<int>(std::min<std::size_t>(mutualDistances(shape.blocks), std::max<std::size_t>(1, room / bytes)));
  shape.parts = shape.width + rowsOfLaunch(shape, 0, endOfLaunch(shape, 0));
}

constexpr int narrowBodies = 2;  // of a thread

// bodiesAWarp: of a tile; bytes: of a part's totals; room: for those of all parts.
inline PairsShape halfShape(int bodies, int bodiesAWarp, std::size_t bytes, std::size_t room, int multiprocessors) {
  PairsShape shape{PairsStyle::half};
  shape.warps = bodies < tuning::fourWarpsFrom ? 2 : 4;
  shape.blocks = ceilDivide(bodies, shape.warps * bodiesAWarp);
  const long long pairs = static_cast<long long>(shape.blocks) * (shape.blocks / 2 + 1),
                  slots = 16LL / shape.warps * multiprocessors;
  shape.length = static_cast<int>(std::clamp(pairs / (6 * slots), 1LL, 8LL));
  addSlots(shape, bytes, room);
  return shape;
}
// Pairs of tiles of the busiest multiprocessor, and a third more for each of its blocks, for their table and totals.
inline double busiestNarrow(int tiles, int abreast, int multiprocessors) {
  const int blocks =
      abreast > 1 ? tiles * ceilDivide(tiles / 2, abreast) + ceilDivide(tiles, abreast) : tiles * (tiles / 2 + 1);
  return ceilDivide(blocks, multiprocessors) * (abreast + 1.0 / 3.0);
}
// Distances side by side, so many or one: which keeps the busiest multiprocessor the shorter.
inline int bestAbreast(int bodies, int many, int multiprocessors) {
  const int tiles = ceilDivide(bodies, 32 * narrowBodies);
  return busiestNarrow(tiles, many, multiprocessors) < busiestNarrow(tiles, 1, multiprocessors) ? many : 1;
}
inline PairsShape narrowShape(int bodies, int abreast, std::size_t bytes, std::size_t room) {
  PairsShape shape{PairsStyle::narrow};
  shape.blocks = ceilDivide(bodies, 32 * narrowBodies);
  shape.length = 1, shape.abreast = abreast;
  addSlots(shape, bytes, room);
  return shape;
}

}  // namespace mesowarp::backend
