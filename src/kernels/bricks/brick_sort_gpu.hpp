// Sorting by bricks on a GPU: places by counters, of which neighbouring threads, who mostly meet in the same brick,
// take a stretch together.
#pragma once

#include "device/launch_gpu.hpp"
#include "kernels/bricks/brick_coordinates.hpp"
#include "kernels/sort/bucket_gpu.hpp"

namespace mesowarp::backend {

constexpr int brickSortParts() { return 1; }

template <class Coord>
struct CountBricks {
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  int* counts;
  __device__ void operator()(int i) const { joinBucket(counts, static_cast<u32>(x.brickOf(grid, i))); }
};
template <class Coord, class Move>
struct MoveToBricks {
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  int* next;
  Move move;
  __device__ void operator()(int i) const { move(joinBucket(next, static_cast<u32>(x.brickOf(grid, i))), i); }
};

template <class Coord>
void countBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, int particles,
                 const DeviceArray<int>& counts) {
  launchRange<256, 1>("count in bricks", particles, CountBricks<Coord>{grid, x, counts.data()});
}
template <class Coord, class Move>
void moveToBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, int particles, const DeviceArray<int>& next,
                  const Move& move) {
  launchRange<256, 1>("move to bricks", particles, MoveToBricks<Coord, Move>{grid, x, next.data(), move});
}

}  // namespace mesowarp::backend
