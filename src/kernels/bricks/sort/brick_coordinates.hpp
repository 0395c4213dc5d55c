// Coordinates of particles, as a sort by bricks reads them.
#pragma once

#include "core/domain.hpp"
#include "kernels/bricks/brick_grid.hpp"
#include "kernels/bricks/packed_places.hpp"

namespace mesowarp::backend {

template <class Coord>
struct BrickCoordinates {
  static constexpr int none = -1;
  PackedPlaces<Coord> places;
  DomainBounds stay{};  // what lies beyond these is in no brick; as it is here, all stays
  KOKKOS_FORCEINLINE_FUNCTION int brickOf(const BrickGrid& grid, int i) const {
    u32 at[3];
    places.leading(i, at);
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
