// Neighbour rows on a GPU, one thread for each particle: for boxes of few cells and rows that no shared memory holds.
#pragma once

#include "kernels/rows/cell_rows_base.hpp"

namespace mesowarp::backend {

template <class Coord>
struct RowOfParticle {
  CellRows<Coord> rows;
  int capacity;  // entries a row has room for

  KOKKOS_INLINE_FUNCTION void operator()(int i, int& longest) const {
    constexpr int warp = 32;
    const int cell = static_cast<int>(rows.keys(i) >> 6);
    const Vec3<Coord> here = rows.positions(i);
    int* entry = rows.table.entries.data() + static_cast<i64>(i / warp) * warp * capacity + i % warp;
    int size = 0;
    for (int s = 0; s < rows.stencilSize(cell); ++s) {
      const int other = rows.stencil(cell, s);
      for (int j = rows.start(other); j < rows.start(other + 1); ++j) {
        if (!(distance2(here, rows.positions(j)) < rows.reach2) || j == i) continue;
        if (rows.exclusions.width > 0 && rows.exclusions.excluded(i, j)) continue;
        if (size < capacity) entry[size * warp] = j;
        ++size;
      }
    }
    if (size > longest) longest = size;
    rows.table.place(i) =
        RowPlace::of(static_cast<u32>(static_cast<i64>(i / warp) * capacity), i % warp, warp, size, size);
  }

  KOKKOS_INLINE_FUNCTION float distance2(const Vec3<Coord>& a, const Vec3<Coord>& b) const {
    const float x = static_cast<float>(static_cast<Signed<Coord>>(a.x - b.x)) * rows.tick.x;
    const float y = static_cast<float>(static_cast<Signed<Coord>>(a.y - b.y)) * rows.tick.y;
    const float z = static_cast<float>(static_cast<Signed<Coord>>(a.z - b.z)) * rows.tick.z;
    return x * x + y * y + z * z;
  }
};

}  // namespace mesowarp::backend
