// Builds the rows of the neighbour table on a GPU: a thread builds a particle's row, walking the stencil in ascending
// particle order.
#pragma once

#include "backend/cell_rows_base.hpp"

namespace mesowarp::backend {

// One particle's row by one thread. Returns the entries that its region needs, which may exceed the capacity.
template <class Coord>
struct RowOfParticle : CellRows<Coord> {
  explicit RowOfParticle(const CellRows<Coord>& base) : CellRows<Coord>(base) {}

  KOKKOS_INLINE_FUNCTION void operator()(int i, i64& needed) const {
    const int size = row(i, static_cast<int>(this->keys(i) >> 6));
    this->table.size(i) = size;
    if (i64{size} * rowsPerRegion > needed) needed = i64{size} * rowsPerRegion;
  }

  KOKKOS_INLINE_FUNCTION int row(int i, int cell) const {
    const Vec3<Coord> here = this->positions(i);
    const i64 rowCapacity = this->table.regionCapacity / rowsPerRegion;
    int size = 0;
    for (int s = 0; s < this->stencilSize(cell); ++s) {
      const int other = this->stencil(cell, s);
      for (int j = this->start(other); j < this->start(other + 1); ++j) {
        const bool hit = this->distance2(here, this->positions(j)) < this->reach2 && j != i &&
                         !(this->exclusions.width > 0 && this->exclusions.excluded(i, j));
        if (hit && size < rowCapacity) this->table.entries(this->table.at(i, size)) = j;
        size += hit;
      }
    }
    return size;
  }
};

}  // namespace mesowarp::backend
