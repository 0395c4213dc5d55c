// The fine stencil of a cell (DPD paper, section 3.3.1, Figure 6), not stored: a warp goes through it 32 places at a
// time, and each lane finds the particle at its place from where the cells' parts end. Cells come in Morton order, and
// so do particles: their indices rise strictly.
#pragma once

#include "grid/cells.hpp"

namespace mesowarp::backend {

// The lanes before one's own.
__device__ inline u32 lanesBefore(int lane) { return (1u << lane) - 1; }

// Entry: how a particle is written down until its row is done. int: its index. std::uint16_t, for long rows: a cell,
// and the particle's number there.
template <class Entry>
struct StencilWalk {
  static constexpr bool packed = sizeof(Entry) == 2;
  static constexpr int numberBits = 11, mostInCell = 1 << numberBits;
  static constexpr unsigned whole = 0xFFFFFFFFu;

  // Of the cells around that have particles, one a lane: where its part ends, its first particle, and what to add to a
  // place to have the particle and the entry there.
  int end, first, toParticle, toEntry;
  int length;  // of the fine stencil
  int own;     // of the lanes, that of the cell itself

  struct Position {
    int place = 0, cell = 0;  // of lane 0: the next place; the cell that it is in
  };

  // stage.queue(0 ... 31): 16 bytes each of the warp's shared memory, free to use. cells: stencil, stencilSize and
  // start of the grid. full: a cell has more particles than an entry can number.
  template <class Stage, class Cells>
  __device__ static StencilWalk around(const Stage& stage, const Cells& cells, int cell, int lane, bool& full) {
    int first = 0, count = 0;
    bool own = false;
    if (lane < cells.stencilSize(cell)) {
      const int other = cells.stencil(cell, lane);
      first = cells.start(other);
      count = cells.start(other + 1) - first;
      own = other == cell;
    }
    full = packed && __any_sync(whole, count > mostInCell);
    int end = count;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const int before = __shfl_up_sync(whole, end, d);
      if (lane >= d) end += before;
    }
    const int length = __shfl_sync(whole, end, 31);
    const u32 filled = __ballot_sync(whole, count > 0);
    int4& mine = reinterpret_cast<int4&>(stage.queue(lane));
    mine = {0x7FFFFFFF, 0, 0, 0};  // ends behind all places
    __syncwarp();
    if (count > 0) {
      const int s = __popc(filled & lanesBefore(lane)), begin = end - count;
      reinterpret_cast<int4&>(stage.queue(s)) = {end, first, first - begin, (s << numberBits) - begin};
    }
    __syncwarp();
    const int4 one = mine;
    __syncwarp();
    const int ownLane = __ffs(__ballot_sync(whole, own)) - 1;
    return {one.x, one.y, one.z, one.w, length, __popc(filled & lanesBefore(ownLane))};
  }

  struct Found {
    int particle, entry;
  };
  // At the next 32 places. Lanes behind the end find some particle or other.
  __device__ Found next(Position& at, int lane) const {
    // Bit e: a cell's part ends behind place e of the 32.
    const u32 ends = __reduce_or_sync(whole, shiftLeft(1u, end - 1 - at.place));
    const int s = at.cell + __popc(ends & lanesBefore(lane)), place = min(at.place + lane, length - 1);
    const int particle = place + __shfl_sync(whole, toParticle, s),
              entry = packed ? place + __shfl_sync(whole, toEntry, s) : particle;
    at.place += 32;
    at.cell += __popc(ends);
    return {particle, entry};
  }
  // All lanes together.
  __device__ int particle(int entry) const {
    if constexpr (!packed) return entry;
    return (entry & (mostInCell - 1)) + __shfl_sync(whole, first, entry >> numberBits);
  }
  // Of a particle of the cell itself.
  __device__ int entryOf(int particle) const {
    int entry = particle;
    if constexpr (packed) entry += (own << numberBits) - __shfl_sync(whole, first, own);
    return entry;
  }

private:
  // 0 where n is not one of 0 ... 31.
  __device__ static u32 shiftLeft(u32 bits, int n) {
    u32 shifted;
    asm("shl.b32 %0, %1, %2;" : "=r"(shifted) : "r"(bits), "r"(n));
    return shifted;
  }
};

}  // namespace mesowarp::backend
