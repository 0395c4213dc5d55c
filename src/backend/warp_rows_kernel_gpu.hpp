// Neighbour rows on a GPU, a warp a cell (DPD paper, section 3.3.2, Algorithm 3, Figure 7). The warp takes its cell's
// particles i in batches of 32 into shared memory; over the fine stencil it goes with one particle j a lane; and for
// each such 32 all lanes loop over the batch together. Core entries (within the cutoff) go to a row from the front,
// skin entries from the back: twice the votes, one commit.
//
// Commit by ballot: the lanes before one's own that have found the same kind of entry say where one's own goes, so rows
// rise strictly and nothing is atomic. Commit by atomics, the paper's reference: each hit increments the row's counter
// in shared memory; the order within a row is the hardware's.
//
// Distances are those of single-precision offsets from the cell's first particle. They are the nearest images' as they
// stand, unless a periodic axis has fewer than four cells.
#pragma once

#include <cmath>

#include "backend/row_tiles_gpu.hpp"
#include "core/box.hpp"
#include "core/cells.hpp"

namespace mesowarp::backend {

// A particle of the batch: its offset, and what its row holds already. Ballot: core entries in the lower half of
// `count`, skin entries in the upper, each at most 65535; atomic: `count` and `skin`.
struct alignas(16) WarpSlot {
  float x, y, z;
  u32 count;
};
struct WarpBatch {
  WarpSlot slot[32];
  u32 skin[32];
};

// Nearest image: x - period * round(x * inverse); inverse 0 where an axis does not wrap.
struct WrapAxes {
  Vec3<float> period, inverse;
};

// General: there are exclusions or axes that wrap.
template <class Coord, bool Ballot, bool General>
struct RowsOfCellByWarp {
  static constexpr int warps = 4;
  static constexpr unsigned whole = 0xFFFFFFFFu;
  using Policy = Kokkos::TeamPolicy<Execution, Kokkos::LaunchBounds<32 * warps, 12>, LightWeight>;
  using Team = typename Policy::member_type;

  DeviceArray<Vec3<Coord>> positions;
  DeviceArray<int> start;  // of cells
  DeviceArray<i64> stencilBegin;
  DeviceArray<int> stencil;
  Exclusions exclusions;
  RowTiles tiles;
  DeviceArray<RowPlace> place;
  Ticks<float> tick;
  WrapAxes wrap;
  float reach2, cutoff2;
  int cells;
  DeviceArray<int> overflow;  // longest row that did not fit

  // With room to align what Kokkos aligns to 8 bytes.
  static constexpr std::size_t sharedBytes = warps * sizeof(WarpBatch) + alignof(WarpBatch);

  __device__ void operator()(const Team& team) const {
    auto* batches =
        static_cast<WarpBatch*>(team.team_scratch(0).get_shmem_aligned(warps * sizeof(WarpBatch), alignof(WarpBatch)));
    const int warp = team.team_rank() / 32, cell = team.league_rank() * warps + warp;
    if (cell >= cells) return;
    const int first = start(cell), last = start(cell + 1);
    if (first == last) return;
    const Vec3<Coord> origin = positions(first);
    for (int base = first; base < last; base += 32)
      buildBatch(batches[warp], cell, origin, base, last - base < 32 ? last - base : 32, team.team_rank() % 32);
  }

 private:
  // Entries of a row; in lane s those of the batch's particle s.
  struct Sizes {
    int core = 0, skin = 0;
  };

  __device__ Vec3<float> offset(int i, const Vec3<Coord>& origin) const {
    const Vec3<Coord> p = positions(i);
    return {static_cast<float>(static_cast<Signed<Coord>>(p.x - origin.x)) * tick.x,
            static_cast<float>(static_cast<Signed<Coord>>(p.y - origin.y)) * tick.y,
            static_cast<float>(static_cast<Signed<Coord>>(p.z - origin.z)) * tick.z};
  }

  // Rows of particles base ... base + size - 1.
  __device__ void buildBatch(WarpBatch& batch, int cell, const Vec3<Coord>& origin, int base, int size,
                             int lane) const {
    if (lane < size) {
      const Vec3<float> here = offset(base + lane, origin);
      batch.slot[lane] = {here.x, here.y, here.z, 0};
      batch.skin[lane] = 0;
    }
    __syncwarp();
    const int* around = stencil.data() + stencilBegin(cell);
    const int length = static_cast<int>(stencilBegin(cell + 1) - stencilBegin(cell));
    Sizes mine;
    for (int k = 0; k < length; k += 32) {
      int j = base;
      Vec3<float> there{INFINITY, INFINITY, INFINITY};  // a lane without a particle hits none
      if (k + lane < length) {
        j = around[k + lane];
        there = offset(j, origin);
      }
      if constexpr (Ballot) {
        commitByBallot(batch, base, size, lane, j, there, mine);
      } else {
        commitByAtomics(batch, base, size, j, there);
      }
    }
    __syncwarp();
    if constexpr (!Ballot) mine = {static_cast<int>(batch.slot[lane].count), static_cast<int>(batch.skin[lane])};
    if (lane < size) store(base + lane, mine);
    __syncwarp();  // before the next batch
  }

  // All of the batch against one particle j a lane.
  __device__ void commitByBallot(WarpBatch& batch, int base, int size, int lane, int j, const Vec3<float>& there,
                                 Sizes& mine) const {
    const u32 before = (1u << lane) - 1;
    u32 myCore = 0, mySkin = 0;  // hits of the batch's particle `lane`
    for (int s = 0; s < size; ++s) {
      const WarpSlot here = batch.slot[s];
      bool near = false;
      const bool hit = isHit(here, there, base + s, j, near);
      const u32 hits = __ballot_sync(whole, hit);
      if (hits == 0) continue;  // a quarter of all cases at density 3, half at 50: the 32 lie close together
      const u32 core = __ballot_sync(whole, hit && near), skin = hits ^ core;
      if (s == lane) myCore = core, mySkin = skin;
      if (!hit) continue;
      const int rank = __popc((near ? core : skin) & before);
      insert(base + s,
             near ? static_cast<int>(here.count & 0xFFFF) + rank
                  : tiles.capacity - 1 - static_cast<int>(here.count >> 16) - rank,
             j);
    }
    mine.core += __popc(myCore);
    mine.skin += __popc(mySkin);
    __syncwarp();  // all have read the counts
    batch.slot[lane].count = static_cast<u32>(mine.core < 0xFFFF ? mine.core : 0xFFFF) |
                             static_cast<u32>(mine.skin < 0xFFFF ? mine.skin : 0xFFFF) << 16;
    __syncwarp();
  }

  __device__ void commitByAtomics(WarpBatch& batch, int base, int size, int j, const Vec3<float>& there) const {
    for (int s = 0; s < size; ++s) {
      const WarpSlot& here = batch.slot[s];
      bool near = false;
      if (!isHit(here, there, base + s, j, near)) continue;
      const int rank = static_cast<int>(atomicAdd(near ? &batch.slot[s].count : &batch.skin[s], 1u));
      insert(base + s, near ? rank : tiles.capacity - 1 - rank, j);
    }
  }

  // Whether j belongs into row i, and among the core entries.
  __device__ bool isHit(const WarpSlot& here, const Vec3<float>& there, int i, int j, bool& near) const {
    float x = here.x - there.x, y = here.y - there.y, z = here.z - there.z;
    if constexpr (General) {
      x -= wrap.period.x * rintf(x * wrap.inverse.x);
      y -= wrap.period.y * rintf(y * wrap.inverse.y);
      z -= wrap.period.z * rintf(z * wrap.inverse.z);
    }
    const float d2 = x * x + y * y + z * z;
    near = d2 < cutoff2;
    bool hit = d2 < reach2 && i != j;
    if constexpr (General) hit = hit && !exclusions.excluded(i, j);
    return hit;
  }

  // A row that overflows is built again: what it holds until then does not matter.
  __device__ void insert(int i, int k, int j) const {
    if (static_cast<u32>(k) < static_cast<u32>(tiles.capacity))
      tiles.row(static_cast<u32>(i))[RowTiles::at(static_cast<u32>(k))] = j;
  }

  __device__ void store(int i, const Sizes& sizes) const {
    const int size = sizes.core + sizes.skin;
    if (size > tiles.capacity || size > RowPlace::mostEntries) {
      atomicMax(overflow.data(), size);
    } else {
      place(i) = tiles.place(i, sizes.core, size);
    }
  }
};

}  // namespace mesowarp::backend
