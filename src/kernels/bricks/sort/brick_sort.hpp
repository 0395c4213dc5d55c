// Sorts particles by bricks: counts, a scan, and a kernel that moves them. The order within a brick is free, and on a
// GPU not the same from run to run: sums over cells are integers, so nothing depends on it.
#pragma once

#include <utility>

#include "device/memory/zeroed.hpp"
#include "kernels/bricks/brick_grid.hpp"
#include "kernels/bricks/sort/brick_ways.hpp"
#include "kernels/sort/scan.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/bricks/sort/brick_sort_gpu.hpp"
#else
#include "kernels/bricks/sort/brick_sort_cpu.hpp"
#endif

namespace mesowarp::backend {

// In steps, so that particles may be counted before others are there: begin; count, in spans; move, the same spans,
// each of which begins where the one before ends. Or places, to which somebody else moves them, and adopt: then
// particles are in the new order.
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
      for (auto& start : start_) start = DeviceArray<int>("first of bricks", bricks + 1);
    }
    clearOn(Execution(), counts_);
  }
  template <class Coord>
  void count(const BrickCoordinates<Coord>& x, ParticleSpan of) {
    if (of.last > of.first) countBricks(grid_, x, of, counts_);
  }
  // Of so many particles that are in the order of the sort before, but for what they have moved since.
  template <class Coord>
  void countSorted(const BrickCoordinates<Coord>& x, int particles) {
    countWays(grid_, x, start(), particles, counts_);
  }
  // The next place of each counter, behind all that are to be counted.
  int* places() {
    scan_("first of bricks", counts_, next_);
    Kokkos::parallel_for("first of bricks", Range(0, grid_.bricksInAll() + 1),
                         FirstOfBricks{next_, start_[1], brickSortParts()});
    return next_.data();
  }
  void adopt() { std::swap(start_[0], start_[1]); }
  // move: of fields, to other memory (FieldMoves); coordinates are those of the old order.
  template <class Coord, class Move>
  void move(const BrickCoordinates<Coord>& x, std::initializer_list<ParticleSpan> spans, const Move& move) {
    places(), adopt();
    moveToBricks(grid_, x, spans, next_, move);
  }
  // [bricks + 1], of the last sort.
  const DeviceArray<int>& start() const { return start_[0]; }
  std::size_t bytes() const { return (counts_.extent(0) + start_[0].extent(0)) * 2 * sizeof(int) + scan_.bytes(); }

private:
  BrickGrid grid_;
  Scanner scan_;
  DeviceArray<int> counts_, next_;  // counters: [brick][part of the particles]
  DeviceArray<int> start_[2];       // of the last sort; of the one that is under way
};

}  // namespace mesowarp::backend
