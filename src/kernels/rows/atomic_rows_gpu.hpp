// Neighbour rows on a GPU, committed by atomic increments: the reference of the DPD paper's Table 2. Each hit
// increments the row's counter in shared memory; the order within a row is the hardware's. Core entries (within the
// cutoff) go to a row from the front, skin entries from the back; rows lie in tiles (row_tiles_gpu.hpp), to be joined
// and transposed.
#pragma once

#include "kernels/rows/row_tiles_gpu.hpp"
#include "kernels/rows/warp_cells_gpu.hpp"

namespace mesowarp::backend {

template <class Coord, bool General>
struct RowsByAtomics : WarpCells<Coord, General> {
  using Base = WarpCells<Coord, General>;
  static constexpr int batch = 32;
  struct Batch {
    WarpSlot slot[batch];  // count: core entries
    u32 skin[batch];
  };
  using Policy = Kokkos::TeamPolicy<Execution, Kokkos::LaunchBounds<32 * Base::warps, 12>, LightWeight>;
  using Team = typename Policy::member_type;
  // With room to align what Kokkos aligns to 8 bytes.
  static constexpr std::size_t sharedBytes = Base::warps * sizeof(Batch) + alignof(Batch);

  DeviceArray<i64> stencilBegin;
  DeviceArray<int> stencil;
  RowTiles tiles;
  DeviceArray<RowPlace> place;
  DeviceArray<int> overflow;  // longest row that did not fit

  __device__ void operator()(const Team& team) const {
    auto* batches =
        static_cast<Batch*>(team.team_scratch(0).get_shmem_aligned(Base::warps * sizeof(Batch), alignof(Batch)));
    const int warp = Base::warpOf(team.team_rank()), lane = team.team_rank() % 32;
    this->forBatches(team.league_rank() * Base::warps + warp, batch, [&](int cell, int first, int base, int size) {
      build(batches[warp], cell, this->positions(first), base, size, lane);
    });
  }

private:
  __device__ void build(Batch& rows, int cell, Vec3<Coord> origin, int base, int size, int lane) const {
    if (lane < size) {
      const Vec3<float> here = this->offset(this->positions(base + lane), origin);
      rows.slot[lane] = {here.x, here.y, here.z, 0};
      rows.skin[lane] = 0;
    }
    __syncwarp();
    const int* around = stencil.data() + stencilBegin(cell);
    const int length = static_cast<int>(stencilBegin(cell + 1) - stencilBegin(cell));
    for (int k = lane; k < length; k += 32) {
      const int j = around[k];
      commit(rows, base, size, j, this->offset(this->positions(j), origin));
    }
    __syncwarp();
    if (lane < size) store(base + lane, static_cast<int>(rows.slot[lane].count), static_cast<int>(rows.skin[lane]));
    __syncwarp();  // before the next batch
  }

  // All of the batch against one particle j a lane.
  __device__ void commit(Batch& rows, int base, int size, int j, const Vec3<float>& there) const {
    for (int s = 0; s < size; ++s) {
      const float d2 = this->distance2(rows.slot[s], there);
      if (!(d2 < this->reach2) || j == base + s || this->excluded(base + s, j)) continue;
      const bool near = d2 < this->cutoff2;
      const int rank = static_cast<int>(atomicAdd(near ? &rows.slot[s].count : &rows.skin[s], 1u));
      insert(base + s, near ? rank : tiles.capacity - 1 - rank, j);
    }
  }

  // A row that overflows is built again: what it holds until then does not matter.
  __device__ void insert(int i, int k, int j) const {
    if (static_cast<u32>(k) < static_cast<u32>(tiles.capacity))
      tiles.row(static_cast<u32>(i))[RowTiles::at(static_cast<u32>(k))] = j;
  }

  __device__ void store(int i, int core, int skin) const {
    if (core + skin > tiles.capacity || core + skin > RowPlace::mostEntries) {
      atomicMax(overflow.data(), core + skin);
    } else {
      place(i) = tiles.place(i, core, core + skin);
    }
  }
};

}  // namespace mesowarp::backend
