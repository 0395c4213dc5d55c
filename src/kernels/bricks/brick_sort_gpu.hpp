// Sorting by bricks on a GPU: places by counters. Neighbouring particles mostly are in the same few bricks, so threads
// of a warp that meet in one add up first, then the warps of a block in a small table in shared memory; a block touches
// each counter in memory once.
#pragma once

#include "device/launch_gpu.hpp"
#include "kernels/bricks/brick_coordinates.hpp"

namespace mesowarp::backend {

constexpr int brickSortParts() { return 1; }

struct BrickSortShape {
  static constexpr int threads = 512, ofThread = 4, ofBlock = threads * ofThread;
};

// Some particles of each thread. All are loaded before any is counted: each load waits for memory.
struct ParticlesOfThread {
  int first, particles;
  __device__ explicit ParticlesOfThread(int all)
      : first(static_cast<int>(blockIdx.x * BrickSortShape::ofBlock + threadIdx.x)), particles(all) {}
  __device__ bool has(int q) const { return first + q * BrickSortShape::threads < particles; }
  template <class Coordinates>
  __device__ void findBricks(const BrickGrid& grid, const Coordinates& x,
                             u32 (&brick)[BrickSortShape::ofThread]) const {
#pragma unroll
    for (int q = 0; q < BrickSortShape::ofThread; ++q)
      brick[q] = has(q) ? static_cast<u32>(x.brickOf(grid, first + q * BrickSortShape::threads)) : 0;
  }
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
    const unsigned active = __activemask(), mates = __match_any_sync(active, brick), lane = threadIdx.x % 32;
    const int leader = __ffs(static_cast<int>(mates)) - 1;
    int slot = none, first = 0;
    if (static_cast<int>(lane) == leader) {
      slot = slotOf(brick);
      if (slot != none) first = atomicAdd(count_ + slot, __popc(mates));
    }
    slot = __shfl_sync(active, slot, leader);
    before = __shfl_sync(active, first, leader) + __popc(mates & ((1u << lane) - 1));
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
    const ParticlesOfThread mine(particles);
    u32 brick[BrickSortShape::ofThread];
    mine.findBricks(grid, x, brick);
    __syncthreads();
#pragma unroll
    for (int q = 0; q < BrickSortShape::ofThread; ++q) {
      if (!mine.has(q)) continue;
      int before;
      if (bricks.join(brick[q], before) == BlockBricks::none) atomicAdd(counts + brick[q], 1);
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
    constexpr int count = BrickSortShape::ofThread;
    const BlockBricks bricks(shared);
    bricks.clear();
    const ParticlesOfThread mine(particles);
    u32 brick[count];
    mine.findBricks(grid, x, brick);
    __syncthreads();
    int slot[count], place[count], source[count];
    unsigned which = 0;
#pragma unroll
    for (int q = 0; q < count; ++q) {
      if (!mine.has(q)) continue;
      which |= 1u << q, source[q] = mine.first + q * BrickSortShape::threads;
      slot[q] = bricks.join(brick[q], place[q]);
      if (slot[q] == BlockBricks::none) place[q] = atomicAdd(next + brick[q], 1);
    }
    __syncthreads();
    bricks.add(next);
    __syncthreads();
#pragma unroll
    for (int q = 0; q < count; ++q)
      if (mine.has(q) && slot[q] != BlockBricks::none) place[q] += bricks.base(slot[q]);
    move(place, source, which);
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
