// Builds the rows of the neighbour table on a CPU: a thread builds the rows of a run of cells, copying a cell's candidates
// together once and comparing them in vectors. Candidates come in ascending particle order.
#pragma once

#include <vector>

#include "backend/cell_rows_base.hpp"
#include "backend/simd_cpu.hpp"

namespace mesowarp::backend {

// Candidates of a cell's particles: the leading 32 bits of their coordinates, and which particles they are.
struct RowCandidates {
  static constexpr int slack = 64;  // behind the last candidate; read and written, never used
  std::vector<u32> x, y, z;
  std::vector<int> index;
  int count = 0;
  void reserve(int n) {
    if (index.size() >= static_cast<std::size_t>(n) + slack) return;
    for (auto* v : {&x, &y, &z}) v->resize(n + n / 2 + slack);
    index.resize(n + n / 2 + slack);
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
    // Leading bits of 64-bit coordinates: a difference is off by less than one tick an axis.
    if (sizeof(Coord) == 8) highReach2 = base.reach2 + 2.0f * std::sqrt(base.reach2) * (high.x + high.y + high.z);
    else highReach2 = base.reach2;
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
    const int size = this->stencilSize(cell);
    for (int s = 0; s < size;) {
      const int first = this->stencil(cell, s);
      int last = first + 1;
      for (++s; s < size && this->stencil(cell, s) == last; ++s) ++last;
      gatherRun(this->start(first), this->start(last), c);
    }
  }

  void gatherRun(int first, int last, RowCandidates& c) const {
    c.reserve(c.count + last - first);
    const int n = c.count;
    for (int k = 0; k < last - first + S::width; ++k) c.index[n + k] = first + k;
    c.count += last - first;
    int k = 0;
    // Whole vectors while that reads nothing behind the last particle.
    for (; first + k < last && first + k + S::width < particles; k += S::width) gatherVector(n + k, c);
    for (; first + k < last; ++k) {
      const Vec3<Coord> p = this->positions(first + k);
      c.x[n + k] = leading32(p.x), c.y[n + k] = leading32(p.y), c.z[n + k] = leading32(p.z);
    }
  }
  static u32 leading32(Coord c) { return static_cast<u32>(c >> (8 * sizeof(Coord) - 32)); }

  void gatherVector(int at, RowCandidates& c) const {
    constexpr int stride = sizeof(Vec3<Coord>);
    const char* base = reinterpret_cast<const char*>(this->positions.data());
    const auto p = S::template load4<stride>(base, c.index.data() + at);
    if constexpr (sizeof(Coord) == 4) {
      S::store(c.x.data() + at, p.word[0]), S::store(c.y.data() + at, p.word[1]), S::store(c.z.data() + at, p.word[2]);
    } else {  // words (little endian): x y | y z, each low before high
      const auto q = S::template load4<stride>(base + 8, c.index.data() + at);
      S::store(c.x.data() + at, p.word[1]), S::store(c.y.data() + at, p.word[3]), S::store(c.z.data() + at, q.word[3]);
    }
  }

  // Writes row i from entry `at` on as far as there is room; returns its size.
  int row(int i, i64 at, i64 room, const RowCandidates& c) const {
    const Vec3<Coord> p = this->positions(i);
    const u32 x = leading32(p.x), y = leading32(p.y), z = leading32(p.z);
    const auto length = [](typename S::Words d, float tick) {
      return __builtin_convertvector(typename S::Integers(d), typename S::Floats) * tick;
    };
    const auto reach = S::broadcast(highReach2);
    const auto self = S::broadcast(static_cast<u32>(i));
    int* entries = this->table.entries.data() + at;
    int nowhere[S::width];
    int size = 0;
    for (int k = 0; k < c.count; k += S::width) {
      const auto rx = length(x - S::load(c.x.data() + k), high.x), ry = length(y - S::load(c.y.data() + k), high.y),
                 rz = length(z - S::load(c.z.data() + k), high.z);
      const auto index = S::load(reinterpret_cast<const u32*>(c.index.data() + k));
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
