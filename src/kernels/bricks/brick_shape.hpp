// How many cells a brick has. Nothing that a run computes depends on it.
#pragma once

#include <algorithm>

#include "device/config.hpp"
#include "kernels/bricks/brick_grid.hpp"
#include "kernels/bricks/cell_records.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "device/launch_gpu.hpp"
#endif

namespace mesowarp::backend {

constexpr int multiprocessors = 132;  // of an H200; others get nearly the best

// Blocks of a pass on a multiprocessor: two, whose windows share its memory, or one, where numbers or sums are large.
template <class Task>
constexpr int blocksOfPass = sizeof(typename Task::Number) == 4 && Task::words <= 12 ? 2 : 1;

// Bytes of shared memory that a block of a GPU's threads takes for a window.
template <class Task>
constexpr std::size_t windowBytes(int places) {
  using Number = typename Task::Number;
  return static_cast<std::size_t>(windowStride(places, Task::words)) * sizeof(u32) +
         static_cast<std::size_t>(places) * Record<Number, Task::recordNumbers>::pairs * sizeof(NumberPair<Number>);
}

// Bytes that each of so many blocks on a multiprocessor may have for its window: with what the system takes of a block
// left out, and what the pass has beside it.
inline std::size_t roomForWindow([[maybe_unused]] int blocks) {
#ifdef KOKKOS_ENABLE_CUDA
  constexpr std::size_t ofAnH200 = 224 * 1024, besides = 1024;
  return std::min(mostSharedMemory() - besides, ofAnH200) / static_cast<std::size_t>(blocks);
#else
  return 0;
#endif
}

// What passes over bricks of a shape take on a GPU, in units of a particle's work: what each multiprocessor has to do,
// and a part of the largest block, in which others are already done. A block's work: its particles, and the places of
// its window, which are staged, written and read again.
inline double passCost(const BrickGrid& grid, double particles) {
  constexpr double ofBlock = 700.0, ofPlace = 0.6, waiting = 0.4;
  double full = particles, bricks = 1.0;  // those of the domain: others are empty
  for (int axis = 0; axis < 3; ++axis) {
    full *= std::min(1.0, static_cast<double>(grid.edge[axis]) / grid.own[axis]);
    bricks *= grid.lastOwn(axis) - grid.firstOwn(axis) + 1;
  }
  const double around = ofBlock + ofPlace * grid.windowCells();
  return (particles + around * bricks) / multiprocessors + waiting * (around + full);
}

// particles: of this rank.
template <class Task>
void chooseBricks(BrickGrid& grid, double particles) {
  if (!onGpu) return;
  const std::size_t mostBytes = roomForWindow(blocksOfPass<Task>);
  BrickGrid best = grid;
  double least = 0.0;
  for (int x = 4; x <= 12; ++x)
    for (int y = 4; y <= x; ++y)
      for (int z = 4; z <= y; ++z) {
        BrickGrid tried = grid;
        tried.alignBricks(x, y, z);
        if (windowBytes<Task>(tried.windowCells()) > mostBytes) continue;
        const double cost = passCost(tried, particles);
        if (least == 0.0 || cost < least) best = tried, least = cost;
      }
  grid = best;
}

}  // namespace mesowarp::backend
