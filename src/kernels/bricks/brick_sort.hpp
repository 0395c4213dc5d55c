// Sorts particles by bricks: counts, a scan, and a kernel that moves them. The order within a brick is free, and on a
// GPU not the same from run to run: sums over cells are integers, so nothing depends on it.
#pragma once

#include "kernels/bricks/brick_grid.hpp"
#include "kernels/sort/scan.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/bricks/brick_sort_gpu.hpp"
#else
#include "kernels/bricks/brick_sort_cpu.hpp"
#endif

namespace mesowarp::backend {

// A call for as many particles as the one before allocates nothing.
class BrickSort {
public:
  // move(target, source): once for each particle, on a GPU of some at once (FieldMoves); coordinates are of the old
  // order. Not in place.
  template <class Coord, class Move>
  void operator()(const BrickGrid& grid, const BrickCoordinates<Coord>& x, int particles, const Move& move) {
    const int bricks = grid.bricksInAll(), parts = brickSortParts();
    const std::size_t counters = static_cast<std::size_t>(bricks) * parts + 1;
    if (counts_.extent(0) != counters) {
      counts_ = DeviceArray<int>("particles of bricks", counters);
      next_ = DeviceArray<int>("next place in bricks", counters);
      start_ = DeviceArray<int>("first of bricks", bricks + 1);
    }
    Kokkos::deep_copy(Execution(), counts_, 0);
    countBricks(grid, x, particles, counts_);
    scan_("first of bricks", counts_, next_);
    Kokkos::parallel_for("first of bricks", Range(0, bricks + 1), FirstOfBricks{next_, start_, parts});
    moveToBricks(grid, x, particles, next_, move);
  }
  // [bricks + 1], of the last sort.
  const DeviceArray<int>& start() const { return start_; }
  std::size_t bytes() const { return (counts_.extent(0) * 2 + start_.extent(0)) * sizeof(int) + scan_.bytes(); }

private:
  Scanner scan_;
  DeviceArray<int> counts_, next_, start_;  // counters: [brick][part of the particles]
};

}  // namespace mesowarp::backend
