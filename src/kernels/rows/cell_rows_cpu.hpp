// Builds the rows of the neighbour table on a CPU: a thread builds the rows of a run of cells. Of a cell's stencil, the
// particles near enough to the smallest box around the cell's own are copied together once, and distances to all of
// them are compared in vectors. Candidates come in ascending particle order.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "device/simd_cpu.hpp"
#include "kernels/rows/cell_rows_base.hpp"

namespace mesowarp::backend {

// Candidates of a cell's particles: the leading 32 bits of their coordinates, and which particles they are.
struct RowCandidates {
  static constexpr int slack = 64;  // behind the last candidate; read and written, never used
  std::vector<u32> x, y, z, index;
  int count = 0;
  void reserve(int n) {
    if (index.size() >= static_cast<std::size_t>(n) + slack) return;
    for (auto* v : {&x, &y, &z, &index}) v->resize(n + n / 2 + slack);
  }
};

// The smallest box around a cell's particles, and how far from it candidates may be.
template <class S>
struct CellBounds {
  using Words = typename S::Words;
  using Floats = typename S::Floats;
  Vec3<u32> middle;
  Vec3<float> half;  // length
  Ticks<float> tick;
  float reach2;

  static Floats length(Words difference, float tick) {
    return __builtin_convertvector(typename S::Integers(difference), Floats) * tick;
  }
  static Floats outside(Words difference, float tick, float half) {
    const Floats d = length(difference, tick), zero{};
    const Floats beyond = (d < zero ? -d : d) - half;
    return beyond > zero ? beyond : zero;
  }
  u32 near(Words x, Words y, Words z) const {
    const Floats dx = outside(x - middle.x, tick.x, half.x), dy = outside(y - middle.y, tick.y, half.y),
                 dz = outside(z - middle.z, tick.z, half.z);
    return S::less(dx * dx + dy * dy + dz * dz, S::broadcast(reach2));
  }
};

template <class Coord>
struct RowsOfCells : CellRows<Coord> {
  using S = Simd;
  // Entries behind the last row of a region: rows are written, and read, in whole vectors. They hold index 0.
  static constexpr i64 slack = 16;

  RowsOfCells(const CellRows<Coord>& base, int cells_, int regions_, int particles_)
      : CellRows<Coord>(base), cells(cells_), regions(regions_), particles(particles_) {
    const float scale = sizeof(Coord) == 8 ? 0x1p32f : 1.0f;
    high = {base.tick.x * scale, base.tick.y * scale, base.tick.z * scale};
    // Leading bits of 64-bit coordinates: a difference is off by less than one tick along each axis.
    if (sizeof(Coord) == 8)
      highReach2 = base.reach2 + 2.0f * std::sqrt(base.reach2) * (high.x + high.y + high.z);
    else
      highReach2 = base.reach2;
  }
  int cells, regions, particles;
  Ticks<float> high;  // of the leading 32 bits
  float highReach2;

  void operator()(int region, i64& needed) const {
    static thread_local RowCandidates candidates;
    i64 used = 0;
    const int firstCell = static_cast<int>(i64{cells} * region / regions);
    const int lastCell = static_cast<int>(i64{cells} * (region + 1) / regions);
    const i64 begin = region * this->table.regionCapacity;
    for (int cell = firstCell; cell < lastCell; ++cell) {
      const int first = this->start(cell), last = this->start(cell + 1);
      if (first == last) continue;
      gather(cell, candidates);
      for (int i = first; i < last; ++i) {
        const int size = row(i, begin + used, this->table.regionCapacity - used, candidates);
        this->table.start(i) = begin + used;
        this->table.size(i) = size;
        used += size;
      }
    }
    if (used + slack <= this->table.regionCapacity)
      for (i64 k = 0; k < slack; ++k) this->table.entries(begin + used + k) = 0;
    if (used + slack > needed) needed = used + slack;
  }

  // Candidates in ascending order; cells that follow one another are one run of particles.
  void gather(int cell, RowCandidates& c) const {
    c.count = 0;
    const CellBounds<S> bounds = boundsOf(this->start(cell), this->start(cell + 1));
    const int size = this->stencilSize(cell);
    for (int s = 0; s < size;) {
      const int first = this->stencil(cell, s);
      int last = first + 1;
      for (++s; s < size && this->stencil(cell, s) == last; ++s) ++last;
      gatherRun(this->start(first), this->start(last), bounds, c);
    }
  }

  CellBounds<S> boundsOf(int first, int last) const {
    const Vec3<u32> origin = leading(first);
    Vec3<i32> low{}, high_{};
    for (int i = first + 1; i < last; ++i) {
      const Vec3<u32> p = leading(i);
      for (int axis = 0; axis < 3; ++axis) {
        const i32 d = static_cast<i32>(p[axis] - origin[axis]);
        low[axis] = std::min(low[axis], d), high_[axis] = std::max(high_[axis], d);
      }
    }
    CellBounds<S> b;
    b.tick = high;
    b.reach2 = highReach2 * 1.0001f;  // no nearer than the test of a pair, for all rounding
    const float ticks[3] = {high.x, high.y, high.z};
    for (int axis = 0; axis < 3; ++axis) {
      b.middle[axis] = origin[axis] + static_cast<u32>(low[axis] + (high_[axis] - low[axis]) / 2);
      b.half[axis] = static_cast<float>((high_[axis] - low[axis]) / 2 + 1) * ticks[axis];
    }
    return b;
  }

  // Appends those of particles first to last - 1 that are near enough to the cell's.
  [[gnu::flatten]] void gatherRun(int first, int last, const CellBounds<S>& bounds, RowCandidates& c) const {
    c.reserve(c.count + last - first);
    for (int i = first; i < last; i += S::width) {
      const auto p = i + S::width < particles ? coordinates(i) : coordinatesOneByOne(i);
      const u32 mask = bounds.near(p.word[0], p.word[1], p.word[2]) & S::first(last - i);
      S::compressStore(c.x.data() + c.count, p.word[0], mask);
      S::compressStore(c.y.data() + c.count, p.word[1], mask);
      S::compressStore(c.z.data() + c.count, p.word[2], mask);
      S::compressStore(c.index.data() + c.count, S::iota(static_cast<u32>(i)), mask);
      c.count += __builtin_popcount(mask);
    }
  }

  // Leading 32 bits of the coordinates of particles i, i + 1, ...; reads four bytes behind the last of them.
  typename S::Records coordinates(int i) const {
    constexpr int stride = sizeof(Vec3<Coord>);
    const char* base = reinterpret_cast<const char*>(this->positions.data());
    const auto p = S::template load4<stride>(base, Consecutive{i});
    if constexpr (sizeof(Coord) == 4) return p;
    const auto q = S::template load4<stride>(base + 8, Consecutive{i});  // words: x y | y z, each low before high
    return {{p.word[1], p.word[3], q.word[3], q.word[3]}};
  }
  typename S::Records coordinatesOneByOne(int i) const {
    typename S::Records r{};
    for (int lane = 0; lane < S::width && i + lane < particles; ++lane) {
      const Vec3<u32> p = leading(i + lane);
      r.word[0][lane] = p.x, r.word[1][lane] = p.y, r.word[2][lane] = p.z;
    }
    return r;
  }
  Vec3<u32> leading(int i) const {
    constexpr int down = 8 * sizeof(Coord) - 32;
    const Vec3<Coord> p = this->positions(i);
    return {static_cast<u32>(p.x >> down), static_cast<u32>(p.y >> down), static_cast<u32>(p.z >> down)};
  }

  // Writes row i from entry `at` on as far as there is room; returns its size.
  [[gnu::flatten]] int row(int i, i64 at, i64 room, const RowCandidates& c) const {
    const Vec3<u32> p = leading(i);
    const auto length = CellBounds<S>::length;
    const auto reach = S::broadcast(highReach2);
    const auto self = S::broadcast(static_cast<u32>(i));
    int* entries = this->table.entries.data() + at;
    int nowhere[S::width];
    int size = 0;
    for (int k = 0; k < c.count; k += S::width) {
      const auto rx = length(p.x - S::load(c.x.data() + k), high.x), ry = length(p.y - S::load(c.y.data() + k), high.y),
                 rz = length(p.z - S::load(c.z.data() + k), high.z);
      const auto index = S::load(c.index.data() + k);
      const u32 mask = S::less(rx * rx + ry * ry + rz * rz, reach) & S::differ(index, self) & S::first(c.count - k);
      S::compressStore(size + S::width <= room ? entries + size : nowhere, index, mask);
      size += __builtin_popcount(mask);
    }
    return this->exclusions.width > 0 && size + S::width <= room ? withoutExcluded(i, entries, size) : size;
  }

  int withoutExcluded(int i, int* entries, int size) const {
    int kept = 0;
    for (int k = 0; k < size; ++k) {
      entries[kept] = entries[k];
      kept += this->exclusions.excluded(i, entries[k]) ? 0 : 1;
    }
    return kept;
  }
};

}  // namespace mesowarp::backend
