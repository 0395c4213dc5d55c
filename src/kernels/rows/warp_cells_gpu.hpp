// What the warps that build neighbour rows (DPD paper, section 3.3.2, Algorithm 3, Figure 7) have in common: a warp
// takes particles i of one cell in batches, keeps them in shared memory, goes over the particles j around with one a
// lane, and for each 32 of these all lanes loop over the batch together.
//
// Distances are those of single-precision offsets from the cell's first particle. They are the nearest images' as they
// stand, unless a periodic axis has fewer than four cells.
#pragma once

#include "core/box.hpp"
#include "grid/cells.hpp"
#include "kernels/rows/neighbor_table.hpp"

namespace mesowarp::backend {

// A particle of a batch: its offset, and what its row holds already (each builder's own word).
struct alignas(16) WarpSlot {
  float x, y, z;
  u32 count;
};

// Nearest image: x - period * round(x * inverse); inverse 0 where an axis does not wrap.
struct WrapAxes {
  Vec3<float> period, inverse;
};

// General: there are exclusions or axes that wrap.
template <class Coord, bool General>
struct WarpCells {
  static constexpr int warps = 4;  // of a team
  static constexpr unsigned whole = 0xFFFFFFFFu;

  DeviceArray<Vec3<Coord>> positions;
  DeviceArray<int> start;  // of cells
  Exclusions exclusions;
  Ticks<float> tick;
  WrapAxes wrap;
  float reach2, cutoff2;
  int cells, warpsPerCell;  // to do; warps that share one, every one its own batches
  const int* list;          // the cells to do; null: all

  void restrict(const DeviceArray<int>& some) { list = some.data(), cells = static_cast<int>(some.extent(0)); }

  int teams() const { return static_cast<int>((static_cast<i64>(cells) * warpsPerCell + warps - 1) / warps); }

  __device__ Vec3<float> offset(const Vec3<Coord>& p, const Vec3<Coord>& origin) const {
    return {static_cast<float>(static_cast<Signed<Coord>>(p.x - origin.x)) * tick.x,
            static_cast<float>(static_cast<Signed<Coord>>(p.y - origin.y)) * tick.y,
            static_cast<float>(static_cast<Signed<Coord>>(p.z - origin.z)) * tick.z};
  }

  // Squared distance.
  __device__ float distance2(const WarpSlot& here, const Vec3<float>& there) const {
    float x = here.x - there.x, y = here.y - there.y, z = here.z - there.z;
    if constexpr (General) {
      x -= wrap.period.x * rintf(x * wrap.inverse.x);
      y -= wrap.period.y * rintf(y * wrap.inverse.y);
      z -= wrap.period.z * rintf(z * wrap.inverse.z);
    }
    return fmaf(x, x, fmaf(y, y, z * z));
  }
  // Whether row i must not have j, which is not i.
  __device__ bool excluded(int i, int j) const {
    if constexpr (General) return exclusions.excluded(i, j);
    return false;
  }

  // The same for all lanes, and so that the compiler knows it.
  __device__ static int warpOf(int thread) { return __shfl_sync(whole, thread / 32, 0); }

  // The warp's batches, of at most `most` particles and about the same size in all of a cell: visit(cell, its first
  // particle, the batch's first, its size).
  template <class Visit>
  __device__ void forBatches(int item, int most, const Visit& visit) const {
    const int number = warpsPerCell == 1 ? item : item / warpsPerCell;
    if (number >= cells) return;
    const int cell = list ? list[number] : number;
    const int first = start(cell), last = start(cell + 1);
    int size = last - first;
    if (size > most) {
      const int batches = (size + most - 1) / most;
      size = (size + batches - 1) / batches;
    }
    for (int base = first + (item - number * warpsPerCell) * size; base < last; base += warpsPerCell * size)
      visit(cell, first, base, last - base < size ? last - base : size);
  }
};

}  // namespace mesowarp::backend
