// What a builder of neighbour rows reads and writes. Builder: cell_rows_cpu.hpp.
#pragma once

#include "core/neighbor_list.hpp"

namespace mesowarp::backend {

template <class Coord>
struct CellRows {
  DeviceArray<Vec3<Coord>> positions;
  DeviceArray<u32> keys;
  Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory> stencil;
  DeviceArray<int> stencilSize, start;
  Exclusions exclusions;
  NeighborTable table;
  Ticks<float> tick;
  float reach2;

  KOKKOS_INLINE_FUNCTION float distance2(const Vec3<Coord>& a, const Vec3<Coord>& b) const {
    const float x = static_cast<float>(static_cast<Signed<Coord>>(a.x - b.x)) * tick.x;
    const float y = static_cast<float>(static_cast<Signed<Coord>>(a.y - b.y)) * tick.y;
    const float z = static_cast<float>(static_cast<Signed<Coord>>(a.z - b.z)) * tick.z;
    return x * x + y * y + z * z;
  }
};

}  // namespace mesowarp::backend
