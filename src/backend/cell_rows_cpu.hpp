// Builds the rows of the neighbour table on a CPU: a thread builds the rows of a run of cells, copying a cell's candidates
// together once and comparing them in vectors. Candidates come in ascending particle order.
#pragma once

#include <vector>

#include "backend/cell_rows_base.hpp"

namespace mesowarp::backend {

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

}  // namespace mesowarp::backend
