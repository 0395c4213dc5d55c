// What a block of threads that builds rows for a group of cells keeps in shared memory: the candidates around the
// group, as half-precision offsets from the group's centre, two to a word, and what the threads tell each other.
//
// The halves are rounded, so comparisons add a margin that covers the rounding (halfMargin).
#pragma once

#include <array>
#include <cmath>
#include <cuda_fp16.h>

#include "core/box.hpp"
#include "grid/cells.hpp"
#include "kernels/rows/row_needs.hpp"

namespace mesowarp::backend {

// Half precision: by what fraction a squared distance may come out too large; distance and cells' widths in units of
// the reach. Offsets of candidate and particle and their difference are rounded to 11 bits, which is the more of a
// distance the shorter it is; the squares, their sum and the limit are, too.
inline double halfMargin(const std::array<double, 3>& cell, const std::array<int, 3>& edge, double distance) {
  constexpr double unit = 1.0 / 2048;
  double error2 = 0.0;
  for (int axis = 0; axis < 3; ++axis) error2 += std::pow((edge[axis] + 1) * cell[axis] + 1.0, 2);
  const double fraction = (std::sqrt(error2) / distance + 2.5) * unit;
  return 2.0 * fraction + fraction * fraction;
}

// Four candidates: offsets from the group's centre; infinite where there is none.
struct alignas(8) CandidateQuad {
  __half x[4], y[4], z[4];
};

// A group's shape, how many rows are built at a time, and by how many threads each: one, or three that take three of
// the nine lines of cells around a particle each.
template <int X, int Y, int Z, int Rows, int Parts>
struct GroupShape {
  static constexpr int x = X, y = Y, z = Z, rows = Rows, parts = Parts, threads = Rows * Parts;
  static constexpr int width = X + 2, plane = width * (Y + 2), slots = plane * (Z + 2);
  static constexpr std::array<int, 3> edge() { return {X, Y, Z}; }
  static_assert(slots <= threads && rows % 32 == 0 && (parts == 1 || parts == 3));
  // What is kept of a candidate's number: where three threads share a row, the slot of its cell is enough.
  static constexpr bool idBySlot = parts > 1;
  using Id = std::conditional_t<idBySlot, unsigned char, int>;
  static_assert(!idBySlot || slots <= 256);
};

// Buffers in shared memory.
struct GroupBuffers {
  int candidates, row;                          // a multiple of 4; entries of a thread's part of a row
  static constexpr int mostCandidates = 65536;  // an entry has 16 bits until it is written
  template <class Shape>
  KOKKOS_INLINE_FUNCTION std::size_t bytes() const {
    return static_cast<std::size_t>(candidates) / 4 * sizeof(CandidateQuad) + candidates * sizeof(typename Shape::Id) +
           static_cast<std::size_t>(row) * Shape::threads * sizeof(unsigned short) +
           (3 * Shape::slots + Shape::x * Shape::y * Shape::z + 2 * (Shape::threads / 32) + Shape::threads) *
               sizeof(int);
  }
};

// How the candidates of a group get into shared memory.
template <class Coord, class Shape>
struct GroupCandidates {
  static constexpr int slots = Shape::slots, threads = Shape::threads;
  static constexpr unsigned whole = 0xFFFFFFFFu;

  DeviceArray<Vec3<Coord>> positions;
  DeviceArray<int> start;
  CellIndexer indexer;
  CellGroups groups;
  std::array<bool, 3> periodic;
  Ticks<float> tick;  // of the leading 32 bits, in units of the reach
  GroupBuffers buffers;
  DeviceArray<RowNeeds> needs;

  // Shared memory of a block.
  struct Stage {
    CandidateQuad* quad;
    typename Shape::Id* id;
    int *slotStart, *slotEnd;
    int* slotShift;  // from a slot's candidates to their particles
    int *innerSlot, *warpSum;
    int* block;                   // where a warp's rows go
    unsigned short *core, *size;  // of each thread's part: entries of the core, of all
    unsigned short* row;          // hits of each part, [entry][thread]
    __device__ Stage(char* memory, const GroupBuffers& b)
        : quad(reinterpret_cast<CandidateQuad*>(memory)),
          id(reinterpret_cast<typename Shape::Id*>(quad + b.candidates / 4)),
          slotStart(reinterpret_cast<int*>(id + b.candidates)), slotEnd(slotStart + slots), slotShift(slotEnd + slots),
          innerSlot(slotShift + slots), warpSum(innerSlot + Shape::x * Shape::y * Shape::z),
          block(warpSum + threads / 32), core(reinterpret_cast<unsigned short*>(block + threads / 32)),
          size(core + threads), row(size + threads) {}
    __device__ void set(int candidate, __half x, __half y, __half z, int slot, int particle) const {
      CandidateQuad& q = quad[candidate >> 2];
      q.x[candidate & 3] = x, q.y[candidate & 3] = y, q.z[candidate & 3] = z;
      id[candidate] = static_cast<typename Shape::Id>(Shape::idBySlot ? slot : particle);
    }
    __device__ int particle(int candidate) const {
      return Shape::idBySlot ? candidate + slotShift[id[candidate]] : static_cast<int>(id[candidate]);
    }
  };

  // Puts the candidates around a group in their places. False: there is no room for them, and `needs` says so.
  __device__ bool load(const Stage& stage, int group, int firstCell, int lastCell, int t) const {
    const u32 at = groups.at(group);
    const int corner[3] = {static_cast<int>(at & 1023) * Shape::x, static_cast<int>(at >> 10 & 1023) * Shape::y,
                           static_cast<int>(at >> 20) * Shape::z};
    if (!layOutSlots(stage, corner, firstCell, lastCell, t)) return false;
    loadCandidates(stage, corner, t);
    __syncthreads();
    return true;
  }

private:
  // Where each of the cells around the group goes. A line of cells along x is padded to whole quads, so that a quad
  // never reaches into another line: what a quad may hold beyond three cells of a line is more than a cell away. False:
  // no room.
  __device__ bool layOutSlots(const Stage& stage, const int (&corner)[3], int firstCell, int lastCell, int t) const {
    int first = 0, count = 0;
    if (t < slots) {
      const int offset[3] = {t % Shape::width, t % Shape::plane / Shape::width, t / Shape::plane};
      bool there = true;
      int cell[3];
      for (int axis = 0; axis < 3; ++axis) {
        const int dims = static_cast<int>(indexer.count[axis]), pad = indexer.pad[axis];
        int c = corner[axis] + offset[axis] - 1;
        if (c > dims || (!periodic[axis] && (c < -pad || c >= dims + pad))) there = false;
        if (periodic[axis]) c = c < 0 ? c + dims : c >= dims ? c - dims : c;
        cell[axis] = c;
      }
      if (there) {
        const int rank = indexer.rankAround(cell);
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
      stage.slotShift[t] = first - (end - padded);
      const __half infinite = __ushort_as_half(0x7C00);
      for (int k = end - padded + count; k < end; ++k) stage.set(k, infinite, infinite, infinite, t, 0);
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

  __device__ void loadCandidates(const Stage& stage, const int (&corner)[3], int t) const {
    const u32 cx = indexer.middle(corner[0], Shape::x, 0), cy = indexer.middle(corner[1], Shape::y, 1),
              cz = indexer.middle(corner[2], Shape::z, 2);
    constexpr int lanes = 8;  // a cell holds about as many particles
#pragma unroll 1
    for (int slot = t / lanes; slot < slots; slot += threads / lanes) {
      const int begin = stage.slotStart[slot], count = stage.slotEnd[slot] - begin,
                first = begin + stage.slotShift[slot];
#pragma unroll 1
      for (int k = t % lanes; k < count; k += lanes) {
        const Vec3<Coord> p = positions(first + k);
        stage.set(begin + k, __float2half_rn(static_cast<float>(static_cast<i32>(leading32(p.x) - cx)) * tick.x),
                  __float2half_rn(static_cast<float>(static_cast<i32>(leading32(p.y) - cy)) * tick.y),
                  __float2half_rn(static_cast<float>(static_cast<i32>(leading32(p.z) - cz)) * tick.z), slot, first + k);
      }
    }
  }
};

}  // namespace mesowarp::backend
