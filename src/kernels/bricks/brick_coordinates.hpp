// Coordinates of particles, an array for each axis, as a sort by bricks reads them.
#pragma once

#include "kernels/bricks/brick_grid.hpp"

namespace mesowarp::backend {

template <class Coord>
struct BrickCoordinates {
  const Coord *x, *y, *z;
  KOKKOS_FORCEINLINE_FUNCTION int brickOf(const BrickGrid& grid, int i) const {
    return grid.brickOf(leading32(x[i]), leading32(y[i]), leading32(z[i]));
  }
};

// Counters of a brick's parts follow each other.
struct FirstOfBricks {
  DeviceArray<int> next, start;
  int parts;
  KOKKOS_INLINE_FUNCTION void operator()(int brick) const {
    start(brick) = next(static_cast<std::size_t>(brick) * parts);
  }
};

}  // namespace mesowarp::backend
