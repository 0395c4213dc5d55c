// Sorting by bricks on a GPU: places by counters. Neighbouring particles mostly are in the same few bricks, so threads
// of a warp that meet in one add up first, then the warps of a block in a small table in shared memory; a block touches
// each counter in memory once.
#pragma once

#include <cooperative_groups.h>

#include "device/launch_gpu.hpp"
#include "kernels/bricks/brick_coordinates.hpp"

namespace mesowarp::backend {

constexpr int brickSortParts() { return 1; }

struct BrickSortShape {
  static constexpr int threads = 512, ofThread = 4, ofBlock = threads * ofThread;
};

// The bricks that a block's particles are in, with their number there. Full: a particle has no slot, and counts alone.
class BlockBricks {
public:
  static constexpr int slots = 256, none = -1;
  __device__ explicit BlockBricks(char* shared)
      : key_(reinterpret_cast<u32*>(shared)), count_(reinterpret_cast<int*>(key_ + slots)), base_(count_ + slots) {}
  static constexpr std::size_t bytes() { return slots * (sizeof(u32) + 2 * sizeof(int)); }

  __device__ void clear() const {
    for (int k = threadIdx.x; k < slots; k += blockDim.x) key_[k] = free, count_[k] = 0;
  }
  // All threads of a warp that have a particle: its slot, and how many of the brick came before it.
  __device__ int join(u32 brick, int& before) const {
    namespace cg = cooperative_groups;
    const cg::coalesced_group mates = cg::labeled_partition(cg::coalesced_threads(), brick);
    int slot = none, first = 0;
    if (mates.thread_rank() == 0) {
      slot = slotOf(brick);
      if (slot != none) first = atomicAdd(count_ + slot, static_cast<int>(mates.size()));
    }
    slot = mates.shfl(slot, 0), before = mates.shfl(first, 0) + static_cast<int>(mates.thread_rank());
    return slot;
  }
  // To counters in memory; base(): what they were.
  __device__ void add(int* counters) const {
    for (int k = threadIdx.x; k < slots; k += blockDim.x)
      if (count_[k] > 0) base_[k] = atomicAdd(counters + key_[k], count_[k]);
  }
  __device__ int base(int slot) const { return base_[slot]; }

private:
  static constexpr u32 free = ~0u;
  static constexpr int tries = 64;
  __device__ int slotOf(u32 brick) const {
    u32 slot = brick * 2654435761u >> 24;
    for (int k = 0; k < tries; ++k, slot = (slot + 1) % slots) {
      const u32 there = atomicCAS(key_ + slot, free, brick);
      if (there == free || there == brick) return static_cast<int>(slot);
    }
    return none;
  }
  u32* key_;
  int *count_, *base_;
};

template <class Coord>
struct CountBricks {
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  int* counts;
  int particles;
  __device__ void operator()(char* shared) const {
    const BlockBricks bricks(shared);
    bricks.clear();
    __syncthreads();
    for (int q = 0; q < BrickSortShape::ofThread; ++q) {
      const int i = blockIdx.x * BrickSortShape::ofBlock + q * BrickSortShape::threads + threadIdx.x;
      if (i >= particles) break;
      int before;
      const u32 brick = static_cast<u32>(x.brickOf(grid, i));
      if (bricks.join(brick, before) == BlockBricks::none) atomicAdd(counts + brick, 1);
    }
    __syncthreads();
    bricks.add(counts);
  }
};
template <class Coord, class Move>
struct MoveToBricks {
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  int* next;
  Move move;
  int particles;
  __device__ void operator()(char* shared) const {
    const BlockBricks bricks(shared);
    bricks.clear();
    __syncthreads();
    int slot[BrickSortShape::ofThread], place[BrickSortShape::ofThread];
    const int first = blockIdx.x * BrickSortShape::ofBlock + threadIdx.x;
#pragma unroll
    for (int q = 0; q < BrickSortShape::ofThread; ++q) {
      const int i = first + q * BrickSortShape::threads;
      if (i >= particles) continue;
      const u32 brick = static_cast<u32>(x.brickOf(grid, i));
      slot[q] = bricks.join(brick, place[q]);
      if (slot[q] == BlockBricks::none) place[q] = atomicAdd(next + brick, 1);
    }
    __syncthreads();
    bricks.add(next);
    __syncthreads();
#pragma unroll
    for (int q = 0; q < BrickSortShape::ofThread; ++q) {
      const int i = first + q * BrickSortShape::threads;
      if (i < particles) move(place[q] + (slot[q] == BlockBricks::none ? 0 : bricks.base(slot[q])), i);
    }
  }
};

template <class Functor>
void overBlocksOfParticles(const char* label, const Functor& functor) {
  launchBlocks<BrickSortShape::threads, 2>(label,
                                           (functor.particles + BrickSortShape::ofBlock - 1) / BrickSortShape::ofBlock,
                                           BrickSortShape::threads, BlockBricks::bytes(), functor);
}

template <class Coord>
void countBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, int particles,
                 const DeviceArray<int>& counts) {
  overBlocksOfParticles("count in bricks", CountBricks<Coord>{grid, x, counts.data(), particles});
}
template <class Coord, class Move>
void moveToBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, int particles, const DeviceArray<int>& next,
                  const Move& move) {
  overBlocksOfParticles("move to bricks", MoveToBricks<Coord, Move>{grid, x, next.data(), move, particles});
}

}  // namespace mesowarp::backend
