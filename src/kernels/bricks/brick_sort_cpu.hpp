// Sorting by bricks on a CPU: each thread has a share of the particles, and counters of its own, so it is stable.
#pragma once

#include "kernels/bricks/brick_coordinates.hpp"

namespace mesowarp::backend {

inline int brickSortParts() { return Execution().concurrency(); }

template <class Coord>
struct CountBricks {
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  int* counts;
  int parts, particles;
  void operator()(int part) const {
    const i64 all = particles;
    for (i64 i = all * part / parts; i < all * (part + 1) / parts; ++i)
      ++counts[static_cast<std::size_t>(x.brickOf(grid, static_cast<int>(i))) * parts + part];
  }
};
template <class Coord, class Move>
struct MoveToBricks {
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  int* next;
  Move move;
  int parts, particles;
  void operator()(int part) const {
    const i64 all = particles;
    for (i64 i = all * part / parts; i < all * (part + 1) / parts; ++i)
      move(next[static_cast<std::size_t>(x.brickOf(grid, static_cast<int>(i))) * parts + part]++, static_cast<int>(i));
  }
};

template <class Coord>
void countBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, int particles,
                 const DeviceArray<int>& counts) {
  const int parts = brickSortParts();
  Kokkos::parallel_for("count in bricks", Range(0, parts),
                       CountBricks<Coord>{grid, x, counts.data(), parts, particles});
}
template <class Coord, class Move>
void moveToBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, int particles, const DeviceArray<int>& next,
                  const Move& move) {
  const int parts = brickSortParts();
  Kokkos::parallel_for("move to bricks", Range(0, parts),
                       MoveToBricks<Coord, Move>{grid, x, next.data(), move, parts, particles});
}

}  // namespace mesowarp::backend
