// Neighbour rows on a GPU, one thread a particle: for boxes of few cells and rows that no shared memory holds.
#pragma once

#include "backend/row_builder.hpp"

namespace mesowarp::backend {

template <class Coord>
struct RowOfParticle {
  DeviceArray<Vec3<Coord>> positions;
  DeviceArray<u32> keys;
  Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory> stencil;
  DeviceArray<int> stencilSize, start;
  Exclusions exclusions;
  NeighborTable table;
  Ticks<float> tick;
  float reach2;
  int capacity;  // entries a row has room for

  KOKKOS_INLINE_FUNCTION void operator()(int i, int& longest) const {
    constexpr int warp = 32;
    const int cell = static_cast<int>(keys(i) >> 6);
    const Vec3<Coord> here = positions(i);
    int* entry = table.entries.data() + static_cast<i64>(i / warp) * warp * capacity + i % warp;
    int size = 0;
    for (int s = 0; s < stencilSize(cell); ++s) {
      const int other = stencil(cell, s);
      for (int j = start(other); j < start(other + 1); ++j) {
        if (!(distance2(here, positions(j)) < reach2) || j == i) continue;
        if (exclusions.width > 0 && exclusions.excluded(i, j)) continue;
        if (size < capacity) entry[size * warp] = j;
        ++size;
      }
    }
    if (size > longest) longest = size;
    table.place(i) = RowPlace::of(static_cast<u32>(static_cast<i64>(i / warp) * capacity), i % warp, warp, size, size);
  }

  KOKKOS_INLINE_FUNCTION float distance2(const Vec3<Coord>& a, const Vec3<Coord>& b) const {
    const float x = static_cast<float>(static_cast<Signed<Coord>>(a.x - b.x)) * tick.x;
    const float y = static_cast<float>(static_cast<Signed<Coord>>(a.y - b.y)) * tick.y;
    const float z = static_cast<float>(static_cast<Signed<Coord>>(a.z - b.z)) * tick.z;
    return x * x + y * y + z * z;
  }
};

}  // namespace mesowarp::backend
