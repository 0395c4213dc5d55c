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

// In steps, so that particles may be counted before others are there: begin; count, in spans; move, the same spans,
// each of which begins where the one before ends.
// A sort of as many bricks as the one before allocates nothing.
class BrickSort {
public:
  void begin(const BrickGrid& grid) {
    grid_ = grid;
    const int bricks = grid.bricksInAll();
    const std::size_t counters = static_cast<std::size_t>(bricks) * brickSortParts() + 1;
    if (counts_.extent(0) != counters) {
      counts_ = DeviceArray<int>("particles of bricks", counters);
      next_ = DeviceArray<int>("next place in bricks", counters);
      start_ = DeviceArray<int>("first of bricks", bricks + 1);
    }
    Kokkos::deep_copy(Execution(), counts_, 0);
  }
  template <class Coord>
  void count(const BrickCoordinates<Coord>& x, ParticleSpan of) {
    if (of.last > of.first) countBricks(grid_, x, of, counts_);
  }
  // move: of fields, to other memory (FieldMoves); coordinates are those of the old order.
  template <class Coord, class Move>
  void move(const BrickCoordinates<Coord>& x, std::initializer_list<ParticleSpan> spans, const Move& move) {
    scan_("first of bricks", counts_, next_);
    Kokkos::parallel_for("first of bricks", Range(0, grid_.bricksInAll() + 1),
                         FirstOfBricks{next_, start_, brickSortParts()});
    moveToBricks(grid_, x, spans, next_, move);
  }
  // [bricks + 1], of the last sort.
  const DeviceArray<int>& start() const { return start_; }
  std::size_t bytes() const { return (counts_.extent(0) * 2 + start_.extent(0)) * sizeof(int) + scan_.bytes(); }

private:
  BrickGrid grid_;
  Scanner scan_;
  DeviceArray<int> counts_, next_, start_;  // counters: [brick][part of the particles]
};

}  // namespace mesowarp::backend
