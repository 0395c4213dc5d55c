// Sorting by bricks on a GPU: places by counters. Neighbouring particles mostly are in the same few bricks, so threads
// of a warp that meet in one add up first, then the warps of a block in a small table in shared memory; a block touches
// each counter in memory once. It puts its particles' words in the order of their bricks there, too, so that what goes
// to a brick is stored in one run: stores by each particle's own thread take 1.4 times as long (perf/log/mpcd.md).
#pragma once

#include <algorithm>
#include <initializer_list>

#include "device/launch_gpu.hpp"
#include "kernels/bricks/sort/brick_ways.hpp"

namespace mesowarp::backend {

constexpr int brickSortParts() { return BrickWays::count; }

struct BrickSortShape {
  static constexpr int threads = 512, ofThread = 4, ofBlock = threads * ofThread;
};

// Some particles of each thread. All are loaded before any is counted: each load waits for memory.
struct ParticlesOfThread {
  int first, last;
  __device__ explicit ParticlesOfThread(ParticleSpan of)
      : first(of.first + static_cast<int>(blockIdx.x * BrickSortShape::ofBlock + threadIdx.x)), last(of.last) {}
  __device__ int operator[](int q) const { return first + q * BrickSortShape::threads; }
  __device__ bool has(int q) const { return (*this)[q] < last; }
  // Counters of those who come from elsewhere; none: of those that are in no brick, or that there are not.
  template <class Coordinates>
  __device__ void findCounters(const BrickGrid& grid, const Coordinates& x,
                               int (&counter)[BrickSortShape::ofThread]) const {
#pragma unroll
    for (int q = 0; q < BrickSortShape::ofThread; ++q) {
      const int brick = has(q) ? x.brickOf(grid, (*this)[q]) : Coordinates::none;
      counter[q] =
          brick == Coordinates::none ? brick : static_cast<int>(BrickWays::counter(brick, BrickWays::elsewhere));
    }
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
  // By the first warp: before[slot] becomes how many particles are in slots before it; before[slots]: in all.
  __device__ void sumBefore(int* before) const {
    constexpr int each = slots / 32;
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= 32) return;
    int sum = 0, mine[each];
    for (int k = 0; k < each; ++k) mine[k] = sum, sum += count_[lane * each + k];
    int all = sum;
    for (int d = 1; d < 32; d *= 2) {
      const int lower = __shfl_up_sync(~0u, all, d);
      if (lane >= d) all += lower;
    }
    for (int k = 0; k < each; ++k) before[lane * each + k] = all - sum + mine[k];
    if (lane == 31) before[slots] = all;
  }

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
  using Coordinates = BrickCoordinates<Coord>;
  BrickGrid grid;
  Coordinates x;
  int* counts;
  ParticleSpan of;
  static constexpr std::size_t bytes() { return BlockBricks::bytes(); }
  __device__ void operator()(char* shared) const {
    const BlockBricks bricks(shared);
    bricks.clear();
    int counter[BrickSortShape::ofThread];
    ParticlesOfThread(of).findCounters(grid, x, counter);
    __syncthreads();
#pragma unroll
    for (int q = 0; q < BrickSortShape::ofThread; ++q) {
      if (counter[q] == Coordinates::none) continue;
      int before;
      if (bricks.join(static_cast<u32>(counter[q]), before) == BlockBricks::none) atomicAdd(counts + counter[q], 1);
    }
    __syncthreads();
    bricks.add(counts);
  }
};

// Elements of T of a particle that are under way at once.
template <class T>
constexpr int elementsTogether = sizeof(T) == 8 ? 3 : 7;

// Singles: elements of 8 bytes, `pairs`, of 4, `words`, and of one, `octets`, that are moved one by one. Pairs: whether
// there are any.
template <class Coord, class Singles, bool Pairs>
struct MoveToBricks {
  using Coordinates = BrickCoordinates<Coord>;
  using First = std::conditional_t<Pairs, u64, u32>;
  static constexpr int ofThread = BrickSortShape::ofThread, ofBlock = BrickSortShape::ofBlock;
  BrickGrid grid;
  Coordinates x;
  int* next;
  Singles singles;
  ParticleSpan of;
  static constexpr std::size_t bytes() {
    return BlockBricks::bytes() + sizeof(int) * (BlockBricks::slots + 2 + ofBlock) +
           ofBlock * std::max(sizeof(u64) * elementsTogether<u64>, sizeof(u32) * elementsTogether<u32>);
  }
  __device__ void operator()(char* shared) const {
    const BlockBricks bricks(shared);
    int* const before = reinterpret_cast<int*>(shared + BlockBricks::bytes());  // of slots, then how many move
    int* const goes = before + BlockBricks::slots + 2;                          // place in memory, of each row
    bricks.clear();
    const ParticlesOfThread mine(of);
    Held<First> held;
    load(moves<First>(), mine, 0, held);
    int counter[ofThread], slot[ofThread], place[ofThread], row[ofThread];
    mine.findCounters(grid, x, counter);
    __syncthreads();
#pragma unroll
    for (int q = 0; q < ofThread; ++q) {
      if (counter[q] == Coordinates::none) continue;
      slot[q] = bricks.join(static_cast<u32>(counter[q]), place[q]);
      if (slot[q] == BlockBricks::none) place[q] = atomicAdd(next + counter[q], 1);
    }
    __syncthreads();
    bricks.sumBefore(before);
    bricks.add(next);
    __syncthreads();
#pragma unroll
    for (int q = 0; q < ofThread; ++q) {
      row[q] = none;
      if (counter[q] == Coordinates::none) continue;
      const bool alone = slot[q] == BlockBricks::none;
      row[q] = alone ? atomicAdd(before + BlockBricks::slots, 1) : before[slot[q]] + place[q];
      goes[row[q]] = alone ? place[q] : bricks.base(slot[q]) + place[q];
    }
    const int* const number = before + BlockBricks::slots;
    through(moves<First>(), mine, row, held, number, goes, goes + ofBlock);
    moveOctets(mine, row, goes);
    if constexpr (Pairs) {
      if (moves<u32>().count == 0) return;
      Held<u32> last;
      load(moves<u32>(), mine, 0, last);
      __syncthreads();
      through(moves<u32>(), mine, row, last, number, goes, goes + ofBlock);
    }
  }

private:
  static constexpr int none = -1;
  template <class T>
  using Held = T[elementsTogether<T>][ofThread];
  template <class T>
  __device__ const auto& moves() const {
    if constexpr (sizeof(T) == 8)
      return singles.pairs;
    else
      return singles.words;
  }
  // There are few: each thread its own particles'.
  __device__ void moveOctets(const ParticlesOfThread& mine, const int (&row)[ofThread], const int* goes) const {
    for (int k = 0; k < singles.octets.count; ++k)
#pragma unroll
      for (int q = 0; q < ofThread; ++q)
        if (row[q] != none) singles.octets.move[k].to[goes[row[q]]] = singles.octets.move[k].from[mine[q]];
  }
  // The elements of a particle from the first of these on.
  template <class T, class Moves>
  __device__ static void load(const Moves& all, const ParticlesOfThread& mine, int first,
                              T (&held)[elementsTogether<T>][ofThread]) {
#pragma unroll
    for (int q = 0; q < ofThread; ++q)
      if (mine.has(q))
#pragma unroll
        for (int k = 0; k < elementsTogether<T>; ++k)
          if (first + k < all.count) {
            const auto& move = all.move[first + k];
            held[k][q] = move.from[static_cast<std::size_t>(mine[q]) * move.pitch];
          }
  }
  // All of them, some at a time, through shared memory; the first are held.
  template <class T, class Moves>
  __device__ static void through(const Moves& all, const ParticlesOfThread& mine, const int (&row)[ofThread],
                                 T (&held)[elementsTogether<T>][ofThread], const int* number, const int* goes,
                                 void* room) {
    T* const rows = static_cast<T*>(room);
    for (int first = 0;;) {
#pragma unroll
      for (int q = 0; q < ofThread; ++q)
        if (row[q] != none)
#pragma unroll
          for (int k = 0; k < elementsTogether<T>; ++k)
            if (first + k < all.count) rows[k * ofBlock + row[q]] = held[k][q];
      __syncthreads();
      store(all, first, *number, goes, rows);
      first += elementsTogether<T>;
      if (first >= all.count) return;
      load(all, mine, first, held);
      __syncthreads();
    }
  }
  template <class T, class Moves>
  __device__ static void store(const Moves& all, int first, int number, const int* goes, const T* rows) {
#pragma unroll
    for (int q = 0; q < ofThread; ++q) {
      const int row = static_cast<int>(threadIdx.x) + q * BrickSortShape::threads;
      if (row >= number) return;
      const auto to = static_cast<std::size_t>(goes[row]);
#pragma unroll
      for (int k = 0; k < elementsTogether<T>; ++k)
        if (first + k < all.count) {
          const auto& move = all.move[first + k];
          move.to[to * move.pitch] = rows[k * ofBlock + row];
        }
    }
  }
};

// A block for each brick that particles have been sorted by: they mostly are there still.
template <class Coord>
struct CountWays {
  static constexpr int threads = 256, ofThread = 4;
  BrickGrid grid;
  BrickCoordinates<Coord> x;
  const int* start;
  int particles;
  int* counts;
  static constexpr std::size_t bytes() { return BrickWays::count * sizeof(int); }
  __device__ void operator()(char* shared) const {
    int* const found = reinterpret_cast<int*>(shared);
    const int brick = blockIdx.x, way = threadIdx.x, first = start[brick],
              last = brick + 1 < grid.bricksInAll() ? min(start[brick + 1], particles) : particles;
    const BrickWays ways(grid, brick);
    if (way < BrickWays::count) found[way] = 0;
    __syncthreads();
    int stay = 0;
    for (int i = wholeLines(first) + static_cast<int>(threadIdx.x); i < last; i += threads * ofThread) {
      u32 at[ofThread][3];
#pragma unroll
      for (int q = 0; q < ofThread; ++q) {
        const int k = min(i + q * threads, last - 1);
        x.places.leading(k, at[q]);
      }
#pragma unroll
      for (int q = 0; q < ofThread; ++q) {
        const int k = i + q * threads;
        if (k < first || k >= last || x.stay.way(at[q][0], at[q][1], at[q][2]) != direction::here) continue;
        const int to = ways.way(at[q]);
        if (to == direction::here)
          ++stay;
        else if (to == BrickWays::elsewhere)
          atomicAdd(counts + BrickWays::counter(grid.brickOf(at[q][0], at[q][1], at[q][2]), to), 1);
        else
          atomicAdd(found + to, 1);
      }
    }
    if (stay > 0) atomicAdd(found + direction::here, stay);
    __syncthreads();
    if (way < direction::count && found[way] > 0) counts[BrickWays::counter(ways.at(grid, way), way)] = found[way];
  }
};

template <class Functor>
void overBlocksOfParticles(const char* label, const Functor& functor) {
  launchBlocks<BrickSortShape::threads, 2>(
      label, (functor.of.last - functor.of.first + BrickSortShape::ofBlock - 1) / BrickSortShape::ofBlock,
      BrickSortShape::threads, Functor::bytes(), functor);
}

template <class Coord>
void countBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, ParticleSpan of,
                 const DeviceArray<int>& counts) {
  overBlocksOfParticles("count in bricks", CountBricks<Coord>{grid, x, counts.data(), of});
}
template <class Coord>
void countWays(const BrickGrid& grid, const BrickCoordinates<Coord>& x, const DeviceArray<int>& start, int particles,
               const DeviceArray<int>& counts) {
  using Count = CountWays<Coord>;
  launchBlocks<Count::threads, 4>("count ways of bricks", grid.bricksInAll(), Count::threads, Count::bytes(),
                                  Count{grid, x, start.data(), particles, counts.data()});
}
template <class Coord, class Move>
void moveToBricks(const BrickGrid& grid, const BrickCoordinates<Coord>& x, std::initializer_list<ParticleSpan> spans,
                  const DeviceArray<int>& next, const Move& move) {
  const ParticleSpan of{spans.begin()->first, (spans.end() - 1)->last};  // all of them at once
  if (of.last == of.first) return;
  const auto singles = move.oneByOne();
  using Singles = std::remove_const_t<decltype(singles)>;
  if (singles.pairs.count > 0)
    overBlocksOfParticles("move to bricks", MoveToBricks<Coord, Singles, true>{grid, x, next.data(), singles, of});
  else
    overBlocksOfParticles("move to bricks", MoveToBricks<Coord, Singles, false>{grid, x, next.data(), singles, of});
}

}  // namespace mesowarp::backend
