// Builds the rows of the neighbour table on a CPU: a thread builds the rows of a run of cells. Of a cell's stencil, the
// particles near enough to the smallest box around the cell's own are copied together once, and distances to all of
// them are compared in vectors. Candidates come in ascending particle order.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/rows/cell_rows_base.hpp"
#include "kernels/rows/row_candidates_cpu.hpp"

namespace mesowarp::backend {

template <class Coord>
struct RowsOfCells : CellRows<Coord> {
  using S = Simd;
  // Entries behind the last row of a region: rows are written, and read, in whole vectors. They hold index 0.
  static constexpr i64 slack = 16;
  static constexpr int runAtOnce = 16;  // particles of a cell that are listed at a time

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
    const i64 begin = region * this->table.regionCapacity, room = this->table.regionCapacity;
    for (int cell = firstCell; cell < lastCell; ++cell) {
      const int first = this->start(cell), last = this->start(cell + 1);
      if (first == last) continue;
      gather(cell, candidates);
      for (int i = first; i < last; ++i) {
        needed = std::max(needed, used + candidates.count + slack);
        const int size = row(i, begin + used, used + candidates.count + slack <= room, candidates);
        this->table.start(i) = begin + used;
        this->table.size(i) = size;
        used += size;
      }
    }
    if (used + slack <= room)
      for (i64 k = 0; k < slack; ++k) this->table.entries(begin + used + k) = 0;
    if (used + slack > needed) needed = used + slack;
  }

  // Candidates in ascending order.
  void gather(int cell, RowCandidates& c) const {
    const CellBounds<S> bounds = boundsOf(this->start(cell), this->start(cell + 1));
    gatherNear(listAround(cell, c), bounds, c);
  }

  // The particles of the cells around, side by side, and behind them a vector of particle 0; returns how many.
  [[gnu::flatten]] int listAround(int cell, RowCandidates& c) const {
    const int size = this->stencilSize(cell);
    const int *cellAt = &this->stencil(cell, 0), *startOf = this->start.data();
    int n = 0;
    for (int s = 0; s < size; ++s) n += startOf[cellAt[s] + 1] - startOf[cellAt[s]];
    c.reserve(n);
    int* around = c.around.data();
    for (int s = 0; s < size; ++s) {
      const int first = startOf[cellAt[s]], last = startOf[cellAt[s] + 1];
      for (int i = first; i < last; i += runAtOnce)
        for (int l = 0; l < runAtOnce; l += S::width)
          S::store(around + i - first + l, S::iota(static_cast<u32>(i + l)));
      around += last - first;
    }
    for (int l = 0; l < S::width; ++l) around[l] = 0;
    return n;
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

  // Those of the n particles around that are near enough to the cell's.
  [[gnu::flatten]] void gatherNear(int n, const CellBounds<S>& bounds, RowCandidates& c) const {
    u32 *const x = c.x.data(), *const y = c.y.data(), *const z = c.z.data(), *const index = c.index.data();
    const int* around = c.around.data();
    const bool readsBehind = n > 0 && around[n - 1] == particles - 1;
    int count = 0;
    for (int k = 0; k < n; k += S::width) {
      const auto p = readsBehind && k + S::width >= n ? coordinatesOneByOne(around + k) : coordinates(around + k);
      const u32 mask = bounds.near(p.word[0], p.word[1], p.word[2]) & S::first(n - k);
      S::compressStore(x + count, p.word[0], mask);
      S::compressStore(y + count, p.word[1], mask);
      S::compressStore(z + count, p.word[2], mask);
      S::compressStore(index + count, S::load(reinterpret_cast<const u32*>(around + k)), mask);
      count += __builtin_popcount(mask);
    }
    c.count = count;
  }

  // Leading 32 bits of the coordinates of some particles; reads four bytes behind each of them.
  typename S::Records coordinates(const int* index) const {
    constexpr int stride = sizeof(Vec3<Coord>);
    const char* base = reinterpret_cast<const char*>(this->positions.data());
    const auto p = S::template load4<stride>(base, index);
    if constexpr (sizeof(Coord) == 4) return p;
    const auto q = S::template load4<stride>(base + 8, index);  // words: x y | y z, each low before high
    return {{p.word[1], p.word[3], q.word[3], q.word[3]}};
  }
  typename S::Records coordinatesOneByOne(const int* index) const {
    typename S::Records r{};
    for (int lane = 0; lane < S::width; ++lane) {
      const Vec3<u32> p = leading(index[lane]);
      r.word[0][lane] = p.x, r.word[1][lane] = p.y, r.word[2][lane] = p.z;
    }
    return r;
  }
  Vec3<u32> leading(int i) const {
    constexpr int down = 8 * sizeof(Coord) - 32;
    const Vec3<Coord> p = this->positions(i);
    return {static_cast<u32>(p.x >> down), static_cast<u32>(p.y >> down), static_cast<u32>(p.z >> down)};
  }

  // Writes row i from entry `at` on, if there is room for all candidates; returns its size.
  [[gnu::flatten]] int row(int i, i64 at, bool room, const RowCandidates& c) const {
    const Vec3<u32> p = leading(i);
    const auto length = CellBounds<S>::length;
    const Ticks<float> scale = high;
    const auto reach = S::broadcast(highReach2);
    const auto self = S::broadcast(static_cast<u32>(i));
    const u32 *const x = c.x.data(), *const y = c.y.data(), *const z = c.z.data(), *const candidate = c.index.data();
    const int count = c.count;
    int* entries = this->table.entries.data() + at;
    int nowhere[S::width];
    int size = 0;
    for (int k = 0; k < count; k += S::width) {
      const auto rx = length(p.x - S::load(x + k), scale.x), ry = length(p.y - S::load(y + k), scale.y),
                 rz = length(p.z - S::load(z + k), scale.z);
      const auto index = S::load(candidate + k);
      const u32 mask = S::less(rx * rx + ry * ry + rz * rz, reach) & S::differ(index, self) & S::first(count - k);
      S::compressStore(room ? entries + size : nowhere, index, mask);
      size += __builtin_popcount(mask);
    }
    return this->exclusions.width > 0 && room ? withoutExcluded(i, entries, size) : size;
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
