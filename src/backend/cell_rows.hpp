// Builds the rows of the neighbour table: on GPUs a thread builds a particle's row; on CPUs a thread builds the rows of a
// run of cells, copying a cell's candidates together once and comparing them in vectors. Both walk the stencil in
// ascending particle order.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

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

#ifndef KOKKOS_ENABLE_CUDA
// The rows of a run of cells by one CPU thread: candidates gathered into structure-of-arrays buffers, distances
// vectorised.
template <class Coord>
struct RowsOfCells : CellRows<Coord> {
  RowsOfCells(const CellRows<Coord>& base, int cells_, int regions_)
      : CellRows<Coord>(base), cells(cells_), regions(regions_) {}
  int cells, regions;
  static constexpr i64 slack = 16;  // entries behind the last row that may be written too

  struct Buffers {
    std::vector<Coord> x, y, z;
    std::vector<int> index;
    std::vector<float> distance2;
    void resize(std::size_t n) {
      if (index.size() >= n) return;
      for (auto* v : {&x, &y, &z}) v->resize(n);
      index.resize(n);
      distance2.resize(n);
    }
  };

  void operator()(int region, i64& needed) const {
    static thread_local Buffers buffers;
    i64 used = 0;
    const int firstCell = static_cast<int>(i64{cells} * region / regions);
    const int lastCell = static_cast<int>(i64{cells} * (region + 1) / regions);
    for (int cell = firstCell; cell < lastCell; ++cell) {
      const int first = this->start(cell), last = this->start(cell + 1);
      if (first == last) continue;
      const int candidates = gather(cell, buffers);
      for (int i = first; i < last; ++i) {
        const int size = row(i, candidates, region * this->table.regionCapacity + used, used, buffers);
        this->table.size(i) = size;
        used += size;
      }
    }
    if (used + slack > needed) needed = used + slack;
  }

  int gather(int cell, Buffers& b) const {
    int n = 0;
    for (int s = 0; s < this->stencilSize(cell); ++s) {
      const int other = this->stencil(cell, s);
      const int first = this->start(other), last = this->start(other + 1);
      b.resize(n + last - first + 64);
      for (int j = first; j < last; ++j, ++n) {
        const Vec3<Coord> p = this->positions(j);
        b.x[n] = p.x, b.y[n] = p.y, b.z[n] = p.z, b.index[n] = j;
      }
    }
    return n;
  }

  // Writes row i from entry `at` on, if its region has room beyond the `used` entries; returns its size.
  int row(int i, int candidates, i64 at, i64 used, Buffers& b) const {
    const Vec3<Coord> here = this->positions(i);
    const Coord *x = b.x.data(), *y = b.y.data(), *z = b.z.data();
    float* d2 = b.distance2.data();
    const Ticks<float> t = this->tick;
#pragma omp simd
    for (int k = 0; k < candidates; ++k) {
      const float dx = static_cast<float>(static_cast<Signed<Coord>>(here.x - x[k])) * t.x;
      const float dy = static_cast<float>(static_cast<Signed<Coord>>(here.y - y[k])) * t.y;
      const float dz = static_cast<float>(static_cast<Signed<Coord>>(here.z - z[k])) * t.z;
      d2[k] = dx * dx + dy * dy + dz * dz;
    }
    this->table.start(i) = at;
    return this->exclusions.width > 0 ? select<true>(i, candidates, at, used, b)
                                      : select<false>(i, candidates, at, used, b);
  }

  template <bool WithExclusions>
  int select(int i, int candidates, i64 at, i64 used, const Buffers& b) const {
    const float* d2 = b.distance2.data();
    const int* index = b.index.data();
    int* entries = this->table.entries.data() + at;
    const i64 room = this->table.regionCapacity - used;
    int size = 0;
    for (int k = 0; k < candidates; ++k) {
      const int j = index[k];
      bool hit = (d2[k] < this->reach2) & (j != i);
      if (WithExclusions && hit) hit = !this->exclusions.excluded(i, j);
      if (size < room) entries[size] = j;  // overwritten by the next candidate unless it is a hit
      size += hit;
    }
    return size;
  }
};
#endif

// Regions of the table, and a first guess of the entries each needs for `expected` neighbours a particle.
inline int rowRegions(int particles) {
  return onGpu ? (particles + rowsPerRegion - 1) / rowsPerRegion : std::max(1, Execution().concurrency());
}
inline i64 firstRegionCapacity(int particles, double expected) {
  if (onGpu) return i64{rowsPerRegion} * static_cast<i64>(expected + 4.5 * std::sqrt(expected) + 4.0);
  return static_cast<i64>(expected * 1.04 * particles / rowRegions(particles)) + 1024;
}

// Returns the largest number of entries a region needs; if that exceeds the capacity the rows are not complete.
template <class Coord>
i64 buildRows(const CellRows<Coord>& rows, [[maybe_unused]] int cells, [[maybe_unused]] int regions,
              [[maybe_unused]] int particles) {
  i64 needed = 0;
#ifdef KOKKOS_ENABLE_CUDA
  Kokkos::parallel_reduce("neighbor rows", Range(0, particles), RowOfParticle<Coord>(rows), Kokkos::Max<i64>(needed));
#else
  Kokkos::parallel_reduce("neighbor rows", Range(0, regions), RowsOfCells<Coord>(rows, cells, regions),
                          Kokkos::Max<i64>(needed));
#endif
  return needed;
}

}  // namespace mesowarp::backend
