// Neighbour rows on a GPU, a block of threads for a group of cells: the candidates around the group are staged once in
// shared memory, as half-precision offsets from the group's centre, two to a word; a thread then finds the hits of its
// particle as bit masks and writes its row, core entries first, through shared memory, so that stores to the table are
// whole lines.
//
// The halves are rounded, so the comparison adds a margin that covers the rounding (halfMargin): no pair within reach is
// missed, and about 2% more pairs than needed are listed. A row lists the cells around the particle's cell line by line,
// each in ascending order: threads of the same cell then meet nearly the same neighbours at the same time.
#pragma once

#include <cuda_fp16.h>

#include <cmath>

#include "backend/row_builder.hpp"
#include "core/rebuild_kernels.hpp"

namespace mesowarp::backend {

// Half precision: by how much a squared distance, in units of the squared reach, may come out too large. Offsets of
// candidate and particle and their difference are rounded to 11 bits; so are the squares, their sum and the limit.
inline double halfMargin(const std::array<double, 3>& cell, const std::array<int, 3>& edge) {
  constexpr double unit = 1.0 / 2048;
  double error2 = 0.0;
  for (int axis = 0; axis < 3; ++axis) error2 += std::pow((edge[axis] + 1) * cell[axis] + 1.0, 2);
  const double distance = (std::sqrt(error2) + 2.5) * unit;
  return 2.0 * distance + distance * distance;
}

// What a build reports: how much it needed, and whether it had it.
struct RowNeeds {
  unsigned long long blocks;  // of 32 entries
  int longestRow, longestPart, candidates;  // if too long, too many
  int incomplete;              // 1: rows are missing; kernels that walk rows then do nothing
};

// Four candidates: offsets from the group's centre; infinite where there is none.
struct alignas(8) CandidateQuad {
  __half x[4], y[4], z[4];
};

// A group's shape, how many rows are built at a time, and by how many threads each: one, or three that take three of the
// nine lines of cells around a particle each.
template <int X, int Y, int Z, int Rows, int Parts>
struct GroupShape {
  static constexpr int x = X, y = Y, z = Z, rows = Rows, parts = Parts, threads = Rows * Parts;
  static constexpr int width = X + 2, plane = width * (Y + 2), slots = plane * (Z + 2);
  static constexpr std::array<int, 3> edge() { return {X, Y, Z}; }
  static_assert(slots <= threads && rows % 32 == 0 && (parts == 1 || parts == 3));
};

// Buffers in shared memory.
struct GroupBuffers {
  int candidates, row;  // a multiple of 4; entries of a thread's part of a row
  static constexpr int mostCandidates = 65536;  // an entry has 16 bits until it is written
  template <class Shape>
  KOKKOS_INLINE_FUNCTION std::size_t bytes() const {
    return static_cast<std::size_t>(candidates) / 4 * sizeof(CandidateQuad) + candidates * sizeof(int) +
           static_cast<std::size_t>(row) * Shape::threads * sizeof(unsigned short) +
           (3 * Shape::slots + Shape::x * Shape::y * Shape::z + Shape::threads / 32 + 3 * Shape::threads) * sizeof(int);
  }
};

template <class Coord, class Shape, bool WithExclusions>
struct RowsOfGroups {
  static constexpr int slots = Shape::slots, threads = Shape::threads;
  static constexpr unsigned whole = 0xFFFFFFFFu;

  DeviceArray<Vec3<Coord>> positions;
  DeviceArray<u32> keys;
  DeviceArray<int> start;
  CellIndexer indexer;
  CellGroups groups;
  std::array<bool, 3> periodic;
  Exclusions exclusions;
  NeighborTable table;
  Ticks<float> tick;  // of the leading 32 bits, in units of the reach
  float reach2, cutoff2;  // likewise, squared, with the margin
  GroupBuffers buffers;
  DeviceArray<RowNeeds> needs;
  i64 capacity;  // entries of the table

  // Shared memory of a block.
  struct Stage {
    CandidateQuad* quad;
    int* id;              // candidates' particles
    int *slotStart, *slotEnd, *slotFirst, *innerSlot, *warpSum;
    int *core, *size, *block;  // of each thread's part: entries of the core, of all; where the row goes
    unsigned short* row;       // hits of each part, [entry][thread]
    __device__ Stage(char* memory, const GroupBuffers& b)
        : quad(reinterpret_cast<CandidateQuad*>(memory)), id(reinterpret_cast<int*>(quad + b.candidates / 4)),
          slotStart(id + b.candidates), slotEnd(slotStart + slots), slotFirst(slotEnd + slots),
          innerSlot(slotFirst + slots), warpSum(innerSlot + Shape::x * Shape::y * Shape::z),
          core(warpSum + threads / 32), size(core + threads), block(size + threads),
          row(reinterpret_cast<unsigned short*>(block + threads)) {}
    __device__ void set(int candidate, __half x, __half y, __half z, int particle) const {
      CandidateQuad& q = quad[candidate >> 2];
      q.x[candidate & 3] = x, q.y[candidate & 3] = y, q.z[candidate & 3] = z;
      id[candidate] = particle;
    }
  };

  __device__ void operator()(char* sharedMemory) const {
    const int group = blockIdx.x, t = threadIdx.x;
    const int firstCell = groups.firstCell(group), lastCell = groups.firstCell(group + 1);
    const int first = start(firstCell), last = start(lastCell);
    if (first == last) return;
    const Stage stage(sharedMemory, buffers);
    const u32 at = groups.at(group);
    const int corner[3] = {static_cast<int>(at & 1023) * Shape::x, static_cast<int>(at >> 10 & 1023) * Shape::y,
                           static_cast<int>(at >> 20) * Shape::z};
    if (!layOutSlots(stage, corner, firstCell, lastCell, t)) return;
    loadCandidates(stage, corner, t);
    __syncthreads();
    for (int base = first; base < last; base += Shape::rows) {
      const int row = t % Shape::rows;
      const bool active = base + row < last;
      const Part part = active ? buildPart(stage, base + row, firstCell, t) : Part{};
      writeRow(stage, base + row, active, part, t);
      if (Shape::parts > 1) __syncthreads();
    }
  }

 private:
  // Where each of the cells around the group goes. A line of cells along x is padded to whole quads, so that a quad never
  // reaches into another line: what a quad may hold beyond three cells of a line is more than a cell away. False: no room.
  __device__ bool layOutSlots(const Stage& stage, const int (&corner)[3], int firstCell, int lastCell, int t) const {
    int first = 0, count = 0;
    if (t < slots) {
      const int offset[3] = {t % Shape::width, t % Shape::plane / Shape::width, t / Shape::plane};
      bool there = true;
      int cell[3];
      for (int axis = 0; axis < 3; ++axis) {
        const int dims = static_cast<int>(indexer.count[axis]);
        int c = corner[axis] + offset[axis] - 1;
        if (c > dims || (!periodic[axis] && (c < 0 || c == dims))) there = false;
        c = c < 0 ? c + dims : c >= dims ? c - dims : c;
        cell[axis] = c;
      }
      if (there) {
        const int rank = indexer.rankOfCell((cell[2] * static_cast<int>(indexer.count[1]) + cell[1]) *
                                                static_cast<int>(indexer.count[0]) + cell[0]);
        first = start(rank);
        count = start(rank + 1) - first;
        if (rank >= firstCell && rank < lastCell) stage.innerSlot[rank - firstCell] = t;
      }
    }
    int padded = count;
    if (t < slots) stage.slotEnd[t] = count;
    __syncthreads();
    if (t < slots && t % Shape::width == Shape::width - 1) {
      int before = 0;
      for (int x = 1; x < Shape::width; ++x) before += stage.slotEnd[t - x];
      padded = ((before + count + 3) & ~3) - before;
    }
    const int end = inclusiveSum(stage, padded, t);
    const bool tooMany = t == slots - 1 && end > buffers.candidates;
    if (tooMany) atomicMax(&needs(0).candidates, end), needs(0).incomplete = 1;
    if (__syncthreads_or(tooMany)) return false;
    if (t < slots) {
      stage.slotStart[t] = end - padded;
      stage.slotEnd[t] = end - padded + count;
      stage.slotFirst[t] = first;
      const __half infinite = __ushort_as_half(0x7C00);
      for (int k = end - padded + count; k < end; ++k) stage.set(k, infinite, infinite, infinite, 0);
    }
    __syncthreads();
    return true;
  }

  __device__ int inclusiveSum(const Stage& stage, int value, int t) const {
    int sum = value;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(whole, sum, d);
      if ((t & 31) >= d) sum += other;
    }
    if ((t & 31) == 31) stage.warpSum[t >> 5] = sum;
    __syncthreads();
    for (int w = 0; w < t >> 5; ++w) sum += stage.warpSum[w];
    return sum;
  }

  // Coordinate, in the leading 32 bits, of the middle of the group.
  __device__ u32 centre(int corner, int edge, int axis) const {
    return static_cast<u32>(((static_cast<u64>(2 * corner + edge) << 32) / indexer.perPeriod[axis]) >> 1);
  }

  __device__ void loadCandidates(const Stage& stage, const int (&corner)[3], int t) const {
    const u32 cx = centre(corner[0], Shape::x, 0), cy = centre(corner[1], Shape::y, 1), cz = centre(corner[2], Shape::z, 2);
    constexpr int lanes = 8;  // a cell holds about as many particles
#pragma unroll 1
    for (int slot = t / lanes; slot < slots; slot += threads / lanes) {
      const int begin = stage.slotStart[slot], count = stage.slotEnd[slot] - begin, first = stage.slotFirst[slot];
#pragma unroll 1
      for (int k = t % lanes; k < count; k += lanes) {
        const Vec3<Coord> p = positions(first + k);
        stage.set(begin + k, __float2half_rn(static_cast<float>(static_cast<i32>(leading32(p.x) - cx)) * tick.x),
                  __float2half_rn(static_cast<float>(static_cast<i32>(leading32(p.y) - cy)) * tick.y),
                  __float2half_rn(static_cast<float>(static_cast<i32>(leading32(p.z) - cz)) * tick.z), first + k);
      }
    }
  }

  struct Here {
    __half2 x, y, z;
  };
  struct Hits {
    u32 all, near;  // within reach, within the cutoff
  };
  __device__ static const __half2& asHalf2(const u32& word) { return reinterpret_cast<const __half2&>(word); }

  // Compares two candidates with a particle; sets `bit`, in the upper half-word for the second.
  __device__ static void compare(const Here& here, const u32& x, const u32& y, const u32& z, __half2 reach, __half2 cutoff,
                                 u32 bit, Hits& hits) {
    const __half2 dx = __hsub2(asHalf2(x), here.x), dy = __hsub2(asHalf2(y), here.y), dz = __hsub2(asHalf2(z), here.z);
    const __half2 d2 = __hfma2(dz, dz, __hfma2(dy, dy, __hmul2(dx, dx)));
    hits.all |= __hlt2_mask(d2, reach) & bit;
    hits.near |= __hlt2_mask(d2, cutoff) & bit;
  }

  // Hits among up to 16 candidates, a bit each. While they are found, the odd ones' bits stand in the upper half-word.
  __device__ static Hits hitsOfFew(const CandidateQuad* quad, int quads, const Here& here, __half2 reach, __half2 cutoff) {
    Hits hits{0, 0};
    u32 bit = 0x00020001u;
#pragma unroll 2
    for (int q = 0; q < quads; ++q) {
      const uint2 x = *reinterpret_cast<const uint2*>(quad[q].x), y = *reinterpret_cast<const uint2*>(quad[q].y),
                  z = *reinterpret_cast<const uint2*>(quad[q].z);
      compare(here, x.x, y.x, z.x, reach, cutoff, bit, hits);
      compare(here, x.y, y.y, z.y, reach, cutoff, bit << 2, hits);
      bit <<= 4;
    }
    return {(hits.all | hits.all >> 16) & 0xFFFF, (hits.near | hits.near >> 16) & 0xFFFF};
  }

  // Among up to 32 candidates from a multiple of 4 on.
  __device__ static Hits hitsOf(const CandidateQuad* quad, int quads, const Here& here, __half2 reach, __half2 cutoff) {
    Hits hits = hitsOfFew(quad, quads < 4 ? quads : 4, here, reach, cutoff);
    if (quads > 4) {
      const Hits upper = hitsOfFew(quad + 4, quads - 4, here, reach, cutoff);
      hits.all |= upper.all << 16;
      hits.near |= upper.near << 16;
    }
    return hits;
  }

  struct Part {
    int core, size;  // entries within the cutoff, in all
  };

  // What thread t builds of particle i's row. Core entries go from the front of its buffer, skin entries from the back.
  __device__ Part buildPart(const Stage& stage, int i, int firstCell, int t) const {
    const int own = stage.innerSlot[static_cast<int>(keys(i) >> 6) - firstCell];
    const int self = stage.slotStart[own] + i - stage.slotFirst[own];
    const CandidateQuad& mine = stage.quad[self >> 2];
    const Here here{__half2half2(mine.x[self & 3]), __half2half2(mine.y[self & 3]), __half2half2(mine.z[self & 3])};
    const __half2 reach = __float2half2_rn(reach2), cutoff = __float2half2_rn(cutoff2);
    unsigned short* front = stage.row + t;
    unsigned short* back = front + (buffers.row - 1) * threads;
    int core = 0, size = 0;
#pragma unroll 1
    for (int line = 0; line < 9 / Shape::parts; ++line) {
      const int z = Shape::parts == 1 ? line / 3 : line, y = Shape::parts == 1 ? line % 3 : (line + t / Shape::rows) % 3;
      const int slot = own + (z - 1) * Shape::plane + (y - 1) * Shape::width;
      const int end = stage.slotEnd[slot + 1];
#pragma unroll 1
      for (int base = stage.slotStart[slot - 1] & ~3; base < end; base += 32) {
        const int quads = end - base < 32 ? (end - base + 3) >> 2 : 8;
        Hits hits = hitsOf(stage.quad + (base >> 2), quads, here, reach, cutoff);
        const u32 me = static_cast<u32>(self - base);
        if (me < 32) hits.all &= ~(1u << me);
        if (WithExclusions) removeExcluded(stage, i, base, hits);
        size += __popc(hits.all);
        if (size > buffers.row) continue;
        hits.near &= hits.all;
        core += __popc(hits.near);
        commit(hits.near, base, front, threads);
        commit(hits.all ^ hits.near, base, back, -threads);
      }
    }
    return {core, size};
  }

  __device__ static void commit(u32 hits, int base, unsigned short*& to, int step) {
    while (hits != 0) {
      const int bit = __ffs(hits) - 1;
      *to = static_cast<unsigned short>(base + bit);
      to += step;
      hits &= hits - 1;
    }
  }

  __device__ void removeExcluded(const Stage& stage, int i, int base, Hits& hits) const {
    for (u32 left = hits.all; left != 0; left &= left - 1) {
      const int bit = __ffs(left) - 1;
      if (exclusions.excluded(i, stage.id[base + bit])) hits.all &= ~(1u << bit);
    }
  }

  // Where a thread's part goes within its row.
  struct Place {
    int core, skin;         // entries before it, of the row's core and of its skin
    int rowCore, rowSize;   // the whole row
  };
  __device__ Place placeOf(const Stage& stage, const Part& part, int t) const {
    if (Shape::parts == 1) return {0, 0, part.core, part.size};
    stage.core[t] = part.core, stage.size[t] = part.size;
    __syncthreads();
    Place place{};
    for (int other = t % Shape::rows; other < threads; other += Shape::rows) {
      if (other < t) place.core += stage.core[other], place.skin += stage.size[other] - stage.core[other];
      place.rowCore += stage.core[other];
      place.rowSize += stage.size[other];
    }
    return place;
  }

  // Entries of the table for a warp's rows: the first warp that works at them takes them, the others are told.
  __device__ i64 takeEntries(const Stage& stage, int rows, int longest, int t) const {
    unsigned block = 0;
    if ((t & 31) == 0 && t < Shape::rows) block = static_cast<unsigned>(atomicAdd(&needs(0).blocks, static_cast<unsigned long long>((rows * longest + 31) / 32)));
    if (Shape::parts == 1) {
      block = __shfl_sync(whole, block, 0);
    } else {
      if ((t & 31) == 0 && t < Shape::rows) stage.block[t / 32] = static_cast<int>(block);
      __syncthreads();
      block = static_cast<unsigned>(stage.block[t % Shape::rows / 32]);
    }
    return static_cast<i64>(block) * 32;
  }

  // A warp's rows, interleaved.
  __device__ void writeRow(const Stage& stage, int i, bool active, const Part& part, int t) const {
    const int rows = __popc(__ballot_sync(whole, active)), lane = t & 31;
    const Place place = placeOf(stage, part, t);
    const int longest = __reduce_max_sync(whole, place.rowSize), longestPart = __reduce_max_sync(whole, part.size);
    const i64 first = takeEntries(stage, rows, longest, t);
    if (longestPart > buffers.row) {
      if (lane == 0) atomicMax(&needs(0).longestPart, longestPart);
    }
    if (longest > RowPlace::mostEntries && lane == 0) atomicMax(&needs(0).longestRow, longest);
    if (longestPart > buffers.row || longest > RowPlace::mostEntries || first + rows * longest > capacity) {
      needs(0).incomplete = 1;
      return;
    }
    if (!active) return;
    if (t < Shape::rows) table.place(i) = RowPlace::of(static_cast<u32>(first / 32), lane, rows, place.rowCore, place.rowSize);
    int* const row = table.entries.data() + first + lane;
    const unsigned short* const mine = stage.row + t;
    copyEntries(stage, mine, threads, part.core, row + place.core * rows, rows);
    copyEntries(stage, mine + (buffers.row - 1) * threads, -threads, part.size - part.core,
                row + (place.rowCore + place.skin) * rows, rows);
  }

  __device__ static void copyEntries(const Stage& stage, const unsigned short* from, int step, int count, int* to, int rows) {
#pragma unroll 1
    for (int k = 0; k < count; ++k, from += step, to += rows) *to = stage.id[*from];
  }
};

}  // namespace mesowarp::backend
