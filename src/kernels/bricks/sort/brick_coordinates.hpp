// Coordinates of particles, an array for each axis, as a sort by bricks reads them.
#pragma once

#include "core/domain.hpp"
#include "kernels/bricks/brick_grid.hpp"

namespace mesowarp::backend {

template <class Coord>
struct BrickCoordinates {
  static constexpr int none = -1;
  const Coord *x, *y, *z;
  DomainBounds stay{};  // what lies beyond these is in no brick; as it is here, all stays
  KOKKOS_FORCEINLINE_FUNCTION int brickOf(const BrickGrid& grid, int i) const {
    const u32 at[3] = {leading32(x[i]), leading32(y[i]), leading32(z[i])};
    return stay.way(at[0], at[1], at[2]) == direction::here ? grid.brickOf(at[0], at[1], at[2]) : none;
  }
};

// Particles [first, last) of those that are sorted.
struct ParticleSpan {
  int first, last;
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
