// Neighbour rows on a GPU, committed by votes (DPD paper, Algorithm 3): the lanes before one's own that have found the
// same kind of entry say where one's own goes. So a place is known when it is taken, and one kernel does what the paper
// does in four. Rows rise strictly within the core and within the skin part and are the same in every build; only a
// batch's place in the table is taken by an atomic.
//
// The warp keeps its batch's rows in shared memory, core entries (within the cutoff) from the front, skin entries from
// the back, and writes them joined and transposed, in whole lines: entry k of all the batch's rows side by side. Where
// rows are long, an entry in shared memory has 16 bits: the cell, and the particle's number there.
//
// The fine stencil, the particles of the cells around in Morton order, is not stored: a lane finds its particle from
// where the cells' parts end (stencil_walk_gpu.hpp). Particles beyond reach of the smallest box around the batch are
// dropped; the others queue up until there are 32, which are compared with the batch.
#pragma once

#include <algorithm>

#include "device/launch_gpu.hpp"
#include "kernels/rows/row_needs.hpp"
#include "kernels/rows/stencil_walk_gpu.hpp"
#include "kernels/rows/warp_bounds_gpu.hpp"
#include "kernels/rows/warp_cells_gpu.hpp"

namespace mesowarp::backend {

// Entry: of a row while it is built (StencilWalk).
template <class Coord, class Entry, bool General>
struct RowsByBallot : WarpCells<Coord, General> {
  using Base = WarpCells<Coord, General>;
  using Base::whole;
  using Walk = StencilWalk<Entry>;
  static constexpr int bytes = sizeof(Entry);
  static constexpr int mostRows = 16;     // of a batch
  static constexpr int queued = 64;       // particles that wait to be compared; a power of two
  static constexpr int skew = 6;          // so that entries k of a batch's rows lie in different banks
  static constexpr int margin = 32;       // entries by which a full row may be exceeded until it is seen
  static constexpr int mostBytes = 7200;  // of a warp's rows: more leave too few warps

  Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory> stencil;
  DeviceArray<int> stencilSize;
  NeighborTable table;
  DeviceArray<RowNeeds> needs;
  i64 tableEntries;     // that the table has room for
  int capacity, batch;  // entries of a row while it is built; rows of a batch

  static int batchOf(int capacity) { return std::clamp(mostBytes / (capacity * bytes), 1, mostRows); }
  __host__ __device__ int warpBytes() const {
    return static_cast<int>((mostRows + queued) * sizeof(WarpSlot)) +
           ((batch * (capacity + skew) + 2 * margin) * bytes + 15) / 16 * 16;
  }
  std::size_t sharedBytes() const { return static_cast<std::size_t>(Base::warps * warpBytes()); }

  __device__ void operator()(char* shared) const {
    const int warp = Base::warpOf(threadIdx.x), lane = threadIdx.x % 32;
    const Stage stage{shared, warp * warpBytes()};
    this->forBatches(
        static_cast<int>(blockIdx.x) * Base::warps + warp, batch,
        [&](int cell, int first, int base, int size) { build(stage, cell, this->positions(first), base, size, lane); });
  }

private:
  // A warp's shared memory: the batch, the queue, the rows with a margin before them and behind.
  struct Stage {
    char* shared;
    int begin;  // bytes
    __device__ WarpSlot& slot(int s) const { return reinterpret_cast<WarpSlot*>(shared + begin)[s]; }
    __device__ WarpSlot& queue(int k) const { return slot(mostRows + (k & (queued - 1))); }
    __device__ Entry& at(int byte) const { return *reinterpret_cast<Entry*>(shared + byte); }
  };
  // Where a row begins, in bytes of shared memory.
  __device__ int front(const Stage& stage, int row) const {
    return stage.begin + static_cast<int>((mostRows + queued) * sizeof(WarpSlot)) +
           (margin + row * (capacity + skew)) * bytes;
  }
  // A slot's `count`: where the next core and the next skin entry of the row go, 16 bits each.
  __device__ u32 emptyEnds(const Stage& stage, int row) const {
    const int begin = front(stage, row);
    return static_cast<u32>(begin) | static_cast<u32>(begin + bytes * (capacity - 1)) << 16;
  }

  struct Candidate {
    int entry;
    Vec3<Coord> position;
  };
  __device__ Candidate candidate(const Walk& walk, typename Walk::Position& at, int lane) const {
    const auto found = walk.next(at, lane);
    return {found.entry, this->positions(found.particle)};
  }

  struct Row {
    u32 ends;                // while it is empty
    int core = 0, skin = 0;  // entries
  };

  __device__ void build(const Stage& stage, int cell, Vec3<Coord> origin, int base, int size, int lane) const {
    bool full;
    const Walk walk = Walk::around(stage, *this, cell, lane, full);
    if (full) {
      if (lane == 0) needs(0).cellTooFull = needs(0).incomplete = 1;
      return;
    }
    Vec3<float> here{INFINITY, INFINITY, INFINITY};
    if (lane < size) here = this->offset(this->positions(base + lane), origin);
    Row row{emptyEnds(stage, lane)};  // the batch's row `lane`
    if (lane < mostRows) stage.slot(lane) = {here.x, here.y, here.z, row.ends};
    const WarpBounds bounds = WarpBounds::of(here, lane < size);
    const int self = walk.entryOf(base);  // of row 0
    int head = 0, tail = 0;
    typename Walk::Position at;
    Candidate next = candidate(walk, at, lane);
    for (int k = 0; k < walk.length; k += 32) {
      const Candidate now = next;
      next = candidate(walk, at, lane);  // on its way while others are compared
      const Vec3<float> there = this->offset(now.position, origin);
      const bool keep = (General || bounds.distance2(there) < this->reach2) & (k + lane < walk.length);
      const u32 kept = __ballot_sync(whole, keep);
      if (keep)
        stage.queue(tail + __popc(kept & lanesBefore(lane))) = {there.x, there.y, there.z, static_cast<u32>(now.entry)};
      tail += __popc(kept);
      __syncwarp();
      if (tail - head < 32) continue;
      compare(stage, walk, base, size, lane, self, stage.queue(head + lane), row);
      head += 32;
    }
    if (head < tail) {
      WarpSlot last = stage.queue(head + lane);
      if (head + lane >= tail) last = {-INFINITY, 0.0f, 0.0f, 0};
      compare(stage, walk, base, size, lane, self, last, row);
    }
    write(stage, walk, base, size, lane, row);
    __syncwarp();  // before the next batch
  }

  // All of the batch against one particle a lane.
  __device__ void compare(const Stage& stage, const Walk& walk, int base, int size, int lane, int self, WarpSlot there,
                          Row& row) const {
    const int entry = static_cast<int>(there.count), j = General ? walk.particle(entry) : entry;
    u32 core = 0, skin = 0;  // hits of the row `lane`
    const bool hasSelf = __any_sync(whole, static_cast<u32>(entry - self) < static_cast<u32>(size));
    const auto all = [&](auto careful) {
#pragma unroll 1
      for (int s = 0; s < size; s += 2) {
        const Test first = test<careful()>(stage, s, base, entry - self, j, there);
        const Test second = test<careful()>(stage, s + 1, base, entry - self, j, there);
        commit(stage, first, lane, s == lane, there.count, core, skin);
        commit(stage, second, lane, s + 1 == lane, there.count, core, skin);
      }
    };
    if (hasSelf)
      all(std::true_type());
    else
      all(std::false_type());
    row.core += __popc(core);
    row.skin += __popc(skin);
    __syncwarp();  // all have read the ends
    const int moved = row.core + row.skin <= capacity ? bytes * row.core - (bytes * row.skin << 16) : 0;
    if (lane < size) stage.slot(lane).count = row.ends + static_cast<u32>(moved);
    __syncwarp();
  }

  struct Test {
    bool hit, near;
    u32 hits;  // of all lanes
    u32 count;
  };
  // Row s of the batch. Careful: the particle may be the row's own, which has number s of the batch.
  template <bool Careful>
  __device__ Test test(const Stage& stage, int s, int base, int number, int j, const WarpSlot& there) const {
    const WarpSlot here = stage.slot(s);
    const float d2 = this->distance2(here, {there.x, there.y, there.z});
    bool hit = d2 < this->reach2, near = d2 < this->cutoff2;
    if (Careful) hit = hit && number != s, near = near && number != s;
    if constexpr (General) {
      if (hit && this->excluded(base + s, j)) hit = near = false;
    }
    return {hit, near, __ballot_sync(whole, hit), here.count};
  }
  __device__ static void commit(const Stage& stage, const Test& test, int lane, bool mine, u32 entry, u32& myCore,
                                u32& mySkin) {
    if (test.hits == 0) return;
    const u32 core = __ballot_sync(whole, test.near);
    if (mine) myCore = core, mySkin = test.hits ^ core;
    const int rank = __popc((test.near ? core : ~core) & test.hits & lanesBefore(lane));
    const int at =
        static_cast<int>(__byte_perm(test.count, 0, test.near ? 0x4410 : 0x4432)) + rank * (test.near ? bytes : -bytes);
    if (test.hit) stage.at(at) = static_cast<Entry>(entry);
  }

  // Entry k of the rows goes to words k * size ... k * size + size - 1 of a part of the table. A lane has one row and
  // every n-th of its entries.
  __device__ void write(const Stage& stage, const Walk& walk, int base, int size, int lane, const Row& row) const {
    const int total = row.core + row.skin, longest = __reduce_max_sync(whole, lane < size ? total : 0);
    const bool tooLong = longest > capacity || longest > RowPlace::mostEntries;
    i64 block = 0;  // of the table, from which on the rows go
    if (lane == 0) {
      const int blocks = (longest * size + 31) / 32;
      if (tooLong) atomicMax(&needs(0).longestRow, longest);
      block = static_cast<i64>(atomicAdd(&needs(0).blocks, static_cast<unsigned long long>(blocks)));
      if (tooLong || (block + blocks) * 32 > tableEntries) needs(0).incomplete = 1, block = -1;
    }
    block = __shfl_sync(whole, block, 0);
    if (block < 0) return;
    if (lane < size) table.place(base + lane) = RowPlace::of(static_cast<u32>(block), lane, size, row.core, total);
    const int across = quotient(32, size), first = quotient(lane, size), s = lane - first * size;
    const int core = __shfl_sync(whole, row.core, s), ofRow = __shfl_sync(whole, total, s),
              end = first < across ? ofRow : 0;
    int* to = table.entries.data() + block * 32 + lane;
    int ofCore = front(stage, s) + bytes * first, ofSkin = front(stage, s) + bytes * (capacity - 1 + core - first);
#pragma unroll 2
    for (int k = 0; k < longest; k += across) {
      const bool there = k + first < end;
      int entry = 0;
      if (there) entry = static_cast<int>(stage.at(k + first < core ? ofCore : ofSkin));
      const int j = walk.particle(entry);
      if (there) *to = j;
      ofCore += bytes * across, ofSkin -= bytes * across, to += across * size;
    }
  }
  // a / b, both from 0 to 32.
  __device__ static int quotient(int a, int b) {
    return static_cast<int>(__fdividef(static_cast<float>(a) + 0.5f, static_cast<float>(b)));
  }
};

}  // namespace mesowarp::backend
