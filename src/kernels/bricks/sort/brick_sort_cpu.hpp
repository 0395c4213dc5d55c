// Sorting by bricks on a CPU: each thread has a share of the particles, and counters of its own, so it is stable.
#pragma once

#include <initializer_list>

#include "kernels/bricks/sort/brick_coordinates.hpp"

namespace mesowarp::backend {

inline int brickSortParts() { return Execution().concurrency(); }

// Calls each(i, its counter) for one thread's share of particles [first, last) that are in a brick.
template <class Coord, class Each>
void overShare(const BrickGrid& grid, const BrickCoordinates<Coord>& x, ParticleSpan of, int part, int parts,
               const Each& each) {
  const i64 all = of.last - of.first;
  for (i64 k = all * part / parts; k < all * (part + 1) / parts; ++k) {
    const int i = of.first + static_cast<int>(k), brick = x.brickOf(grid, i);
    if (brick != BrickCoordinates<Coord>::none) each(i, static_cast<std::size_t>(brick) * parts + part);
  }
}

template <class Coord>
struct CountBricks {
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  int* counts;
  int parts;
  ParticleSpan of;
  void operator()(int part) const {
    overShare(grid, x, of, part, parts, [this](int, std::size_t counter) { ++counts[counter]; });
  }
};
template <class Coord, class Move>
struct MoveToBricks {
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  int* next;
  Move move;
  int parts;
  ParticleSpan of;
  void operator()(int part) const {
    overShare(grid, x, of, part, parts, [this](int i, std::size_t counter) { move(next[counter]++, i); });
  }
};

template <class Coord>
void countBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, ParticleSpan of,
                 const DeviceArray<int>& counts) {
  const int parts = brickSortParts();
  Kokkos::parallel_for("count in bricks", Range(0, parts), CountBricks<Coord>{grid, x, counts.data(), parts, of});
}
// Passes on a CPU do not sort.
template <class Coord>
void countWays(const BrickGrid& grid, const BrickCoordinates<Coord>& x, const DeviceArray<int>& /*start*/,
               int particles, const DeviceArray<int>& counts) {
  countBricks(grid, x, {0, particles}, counts);
}
template <class Coord, class Move>
void moveToBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, std::initializer_list<ParticleSpan> spans,
                  const DeviceArray<int>& next, const Move& move) {
  const int parts = brickSortParts();
  for (const ParticleSpan& of : spans)
    if (of.last > of.first)
      Kokkos::parallel_for("move to bricks", Range(0, parts),
                           MoveToBricks<Coord, Move>{grid, x, next.data(), move, parts, of});
}

}  // namespace mesowarp::backend
