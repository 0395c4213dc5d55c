// Neighbour rows on a GPU, a block of threads for a group of cells, 4 x 4 x 2 where particles are many, 2 x 2 x 2 in
// small systems: the candidates around the group are staged once in shared memory (group_stage_gpu.hpp); a thread then
// compares two at a time with its particle and keeps the hits as bit masks (half_hits_gpu.hpp), and writes its row,
// core entries first, through shared memory, so that stores to the table are whole lines. In small systems three
// threads build a row, three of the nine lines of cells each.
//
// The limit is rounded outwards by what half-precision offsets can be off: no pair within reach is missed, and about 2%
// more pairs than needed are listed. A row lists the cells around the particle's cell line by line, each in ascending
// order: threads of the same cell then meet nearly the same neighbours at the same time.
#pragma once

#include "kernels/rows/half_hits_gpu.hpp"
#include "kernels/rows/row_input.hpp"

namespace mesowarp::backend {

template <class Coord, class Shape, bool WithExclusions>
struct RowsOfGroups {
  using Candidates = GroupCandidates<Coord, Shape>;
  using Stage = typename Candidates::Stage;
  static constexpr int threads = Shape::threads;
  static constexpr unsigned whole = 0xFFFFFFFFu;

  Candidates candidates;
  DeviceArray<u32> keys;
  Exclusions exclusions;
  NeighborTable table;
  float reach2, cutoff2;  // squared, in units of the squared reach, with the margin
  i64 capacity;           // entries of the table
  int firstInOrder;       // of the groups to do

  __device__ void operator()(char* sharedMemory) const {
    const int group = candidates.groups.number(firstInOrder + static_cast<int>(blockIdx.x)), t = threadIdx.x;
    const int firstCell = candidates.groups.firstCell(group), lastCell = candidates.groups.firstCell(group + 1);
    const int first = candidates.start(firstCell), last = candidates.start(lastCell);
    if (first == last) return;
    const Stage stage(sharedMemory, candidates.buffers);
    if (!candidates.load(stage, group, firstCell, lastCell, t)) return;
    for (int base = first; base < last; base += Shape::rows) {
      const int row = t % Shape::rows;
      const bool active = base + row < last;
      const Part part = active ? buildPart(stage, base + row, firstCell, t) : Part{};
      writeRow(stage, base + row, active, part, t);
      if (Shape::parts > 1) __syncthreads();
    }
  }

private:
  struct Part {
    int core, size;  // entries within the cutoff, in all
  };

  // What thread t builds of particle i's row. Core entries go from the front of its buffer, skin entries from the back.
  __device__ Part buildPart(const Stage& stage, int i, int firstCell, int t) const {
    const int own = stage.innerSlot[static_cast<int>(keys(i) >> 6) - firstCell];
    const int self = i - stage.slotShift[own];
    const CandidateQuad& mine = stage.quad[self >> 2];
    const HalfPosition here{__half2half2(mine.x[self & 3]), __half2half2(mine.y[self & 3]),
                            __half2half2(mine.z[self & 3])};
    const __half2 reach = __float2half2_rn(reach2), cutoff = __float2half2_rn(cutoff2);
    unsigned short* front = stage.row + t;
    unsigned short* back = front + (candidates.buffers.row - 1) * threads;
    int core = 0, size = 0;
#pragma unroll 1
    for (int line = 0; line < 9 / Shape::parts; ++line) {
      const int z = Shape::parts == 1 ? line / 3 : line,
                y = Shape::parts == 1 ? line % 3 : (line + t / Shape::rows) % 3;
      const int slot = own + (z - 1) * Shape::plane + (y - 1) * Shape::width;
      const int end = stage.slotEnd[slot + 1];
#pragma unroll 1
      for (int base = stage.slotStart[slot - 1] & ~3; base < end; base += 32) {
        const int quads = end - base < 32 ? (end - base + 3) >> 2 : 8;
        HalfHits hits = hitsOf(stage.quad + (base >> 2), quads, here, reach, cutoff);
        const u32 me = static_cast<u32>(self - base);
        if (me < 32) hits.all &= ~(1u << me);
        if (WithExclusions) removeExcluded(stage, i, base, hits);
        size += __popc(hits.all);
        if (size > candidates.buffers.row) continue;
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

  __device__ void removeExcluded(const Stage& stage, int i, int base, HalfHits& hits) const {
    for (u32 left = hits.all; left != 0; left &= left - 1) {
      const int bit = __ffs(left) - 1;
      if (exclusions.excluded(i, stage.particle(base + bit))) hits.all &= ~(1u << bit);
    }
  }

  // Where a thread's part goes within its row.
  struct Place {
    int core, skin;        // entries before it, of the row's core and of its skin
    int rowCore, rowSize;  // the whole row
  };
  __device__ Place placeOf(const Stage& stage, const Part& part, int t) const {
    if (Shape::parts == 1) return {0, 0, part.core, part.size};
    stage.core[t] = static_cast<unsigned short>(part.core), stage.size[t] = static_cast<unsigned short>(part.size);
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
    if ((t & 31) == 0 && t < Shape::rows)
      block = static_cast<unsigned>(
          atomicAdd(&candidates.needs(0).blocks, static_cast<unsigned long long>((rows * longest + 31) / 32)));
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
    if (longestPart > candidates.buffers.row) {
      if (lane == 0) atomicMax(&candidates.needs(0).longestPart, longestPart);
    }
    if (longest > RowPlace::mostEntries && lane == 0) atomicMax(&candidates.needs(0).longestRow, longest);
    if (longestPart > candidates.buffers.row || longest > RowPlace::mostEntries || first + rows * longest > capacity) {
      candidates.needs(0).incomplete = 1;
      return;
    }
    if (!active) return;
    if (t < Shape::rows)
      table.place(i) = RowPlace::of(static_cast<u32>(first / 32), lane, rows, place.rowCore, place.rowSize);
    int* const row = table.entries.data() + first + lane;
    const unsigned short* const mine = stage.row + t;
    copyEntries(stage, mine, threads, part.core, row + place.core * rows, rows);
    copyEntries(stage, mine + (candidates.buffers.row - 1) * threads, -threads, part.size - part.core,
                row + (place.rowCore + place.skin) * rows, rows);
  }

  __device__ static void copyEntries(const Stage& stage, const unsigned short* from, int step, int count, int* to,
                                     int rows) {
#pragma unroll 1
    for (int k = 0; k < count; ++k, from += step, to += rows) *to = stage.particle(*from);
  }
};

}  // namespace mesowarp::backend
