// Builds the rows of the neighbour table, a cell at a time on CPUs (its stencil's positions are copied together once
// and compared in vectors), a particle at a time on GPUs. Both walk the stencil in ascending particle order.
#pragma once

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

// One particle's row by one thread. Returns the longest row, which may exceed the capacity.
template <class Coord>
struct RowOfParticle : CellRows<Coord> {
  explicit RowOfParticle(const CellRows<Coord>& base) : CellRows<Coord>(base) {}

  KOKKOS_INLINE_FUNCTION void operator()(int i, int& longest) const {
    const int size = row(i, static_cast<int>(this->keys(i) >> 6));
    this->table.size(i) = size;
    if (size > longest) longest = size;
  }

  KOKKOS_INLINE_FUNCTION int row(int i, int cell) const {
    const Vec3<Coord> here = this->positions(i);
    int size = 0;
    for (int s = 0; s < this->stencilSize(cell); ++s) {
      const int other = this->stencil(cell, s);
      for (int j = this->start(other); j < this->start(other + 1); ++j) {
        const bool hit = this->distance2(here, this->positions(j)) < this->reach2 && j != i &&
                         !(this->exclusions.width > 0 && this->exclusions.excluded(i, j));
        if (hit && size < this->table.capacity) this->table.entries(this->table.at(i, size)) = j;
        size += hit;
      }
    }
    return size;
  }
};

#ifndef KOKKOS_ENABLE_CUDA
// A cell's rows on a CPU core: candidates gathered into structure-of-arrays buffers, distances vectorised.
template <class Coord>
struct RowsOfCell : CellRows<Coord> {
  explicit RowsOfCell(const CellRows<Coord>& base) : CellRows<Coord>(base) {}

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

  void operator()(int cell, int& longest) const {
    static thread_local Buffers buffers;
    const int first = this->start(cell), last = this->start(cell + 1);
    if (first == last) return;
    const int candidates = gather(cell, buffers);
    for (int i = first; i < last; ++i) {
      const int size = row(i, candidates, buffers);
      this->table.size(i) = size;
      if (size > longest) longest = size;
    }
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

  int row(int i, int candidates, Buffers& b) const {
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
    return this->exclusions.width > 0 ? select<true>(i, candidates, b) : select<false>(i, candidates, b);
  }

  template <bool WithExclusions>
  int select(int i, int candidates, const Buffers& b) const {
    const float* d2 = b.distance2.data();
    const int* index = b.index.data();
    int* entries = &this->table.entries(this->table.at(i, 0));
    const int capacity = this->table.capacity;
    int size = 0;
    for (int k = 0; k < candidates; ++k) {
      const int j = index[k];
      bool hit = (d2[k] < this->reach2) & (j != i);
      if (WithExclusions && hit) hit = !this->exclusions.excluded(i, j);
      if (size < capacity) entries[size] = j;  // overwritten by the next candidate unless it is a hit
      size += hit;
    }
    return size;
  }
};
#endif

template <class Coord>
int buildRows(const CellRows<Coord>& rows, [[maybe_unused]] int cells, [[maybe_unused]] int particles) {
  int longest = 0;
#ifdef KOKKOS_ENABLE_CUDA
  Kokkos::parallel_reduce("neighbor rows", Range(0, particles), RowOfParticle<Coord>(rows), Kokkos::Max<int>(longest));
#else
  Kokkos::parallel_reduce("neighbor rows", Range(0, cells), RowsOfCell<Coord>(rows), Kokkos::Max<int>(longest));
#endif
  return longest;
}

}  // namespace mesowarp::backend
