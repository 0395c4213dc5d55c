// A block of a GPU's threads that goes through a brick's particles, and stores each where it is in the order of the
// bricks that they are in as it begins. The block has the next places of the 27 bricks that they come to in shared
// memory. Nine of ten stay: threads of a warp claim places for these together, side by side, so that they are stored in
// runs; and for one particle of each thread at a time, so that runs of different warps come to lie between each other:
// particles that have come to a brick together would go on to add to the same few cells together.
//
// Others waited in shared memory until the block was done, so that they were stored in runs as well: the kernel took
// 260 us for 330 (10 million), but all others 20 more, since it left a multiprocessor with little cache.
#pragma once

#include "kernels/bricks/sort/brick_ways.hpp"

namespace mesowarp::backend {

class BrickClaims {
public:
  static constexpr std::size_t bytes() { return direction::count * sizeof(int); }

  __device__ BrickClaims(const BrickGrid& grid, int brick, const BrickPlaces& places, char* shared)
      : grid_(grid), places_(places), ways_(grid, brick), next_(reinterpret_cast<int*>(shared)) {}

  // All threads; synchronize behind.
  __device__ void begin() const {
    const int way = static_cast<int>(threadIdx.x);
    if (way >= direction::count) return;
    const int brick = ways_.at(grid_, way);
    if (brick != BrickWays::none) next_[way] = places_.next[BrickWays::counter(brick, way)];
  }
  struct Claim {
    bool is;  // false: there is no particle, or it has left
    int place;
    unsigned together;  // of the warp, those that stay; the first of them has the first place of them all
  };
  // warp: the threads that claim together. Of a particle at these leading bits, if there is one.
  __device__ Claim claim(unsigned warp, const u32 (&at)[3], bool is) const {
    const int way = is && places_.stay.way(at[0], at[1], at[2]) == direction::here ? ways_.way(at) : BrickWays::none;
    Claim claim{way != BrickWays::none, 0, ballot(warp, way == direction::here)};
    if (way == direction::here) {
      if (isFirst(claim.together)) claim.place = atomicAdd(next_ + way, count(claim.together));
    } else if (way == BrickWays::elsewhere) {
      claim.place = claimElsewhere(grid_, places_, at);
    } else if (way != BrickWays::none) {
      claim.place = atomicAdd(next_ + way, 1);
    }
    return claim;
  }
  // By the same threads, when other work has been done: an addition takes its time.
  __device__ int placeOf([[maybe_unused]] unsigned warp, const Claim& claim) const {
#ifdef __CUDA_ARCH__
    if (claim.together == 0) return claim.place;
    const unsigned lane = threadIdx.x % 32;
    const int first = __shfl_sync(warp, claim.place, __ffs(static_cast<int>(claim.together)) - 1);
    return (claim.together >> lane & 1) != 0 ? first + __popc(claim.together & ((1u << lane) - 1)) : claim.place;
#else
    return claim.place;
#endif
  }
  // All threads of the warp that have come here.
  __device__ static unsigned warpHere() {
#ifdef __CUDA_ARCH__
    return __activemask();
#else
    return 1;
#endif
  }

  // Of one that comes from elsewhere, or from another rank.
  __device__ static int claimElsewhere(const BrickGrid& grid, const BrickPlaces& places, const u32 (&at)[3]) {
    return atomicAdd(places.next + BrickWays::counter(grid.brickOf(at[0], at[1], at[2]), BrickWays::elsewhere), 1);
  }

private:
#ifdef __CUDA_ARCH__
  __device__ static unsigned ballot(unsigned warp, bool stays) { return __ballot_sync(warp, stays); }
  __device__ static bool isFirst(unsigned together) {
    return __ffs(static_cast<int>(together)) == static_cast<int>(threadIdx.x % 32) + 1;
  }
  __device__ static int count(unsigned together) { return __popc(together); }
#else  // each thread by itself
  static unsigned ballot(unsigned, bool stays) { return stays ? 1 : 0; }
  static bool isFirst(unsigned) { return true; }
  static int count(unsigned) { return 1; }
#endif

  const BrickGrid& grid_;
  const BrickPlaces& places_;
  BrickWays ways_;
  int* next_;  // of each way
};

}  // namespace mesowarp::backend
