// Blocks that add up many numbers for each i of a range. Each thread adds to its own sum in shared memory, and a block
// adds these up in a loop; one more block adds up those of all blocks, in their order. Included by sum_over.hpp.
#pragma once

#include "device/launch_gpu.hpp"

namespace mesowarp::backend {

constexpr int sumThreads = 128;

// functor(i, sum) for i in [0, count), in `blocks` blocks of sumThreads, each of which leaves its sum in `ofBlocks`.
// All threads of a warp call it, or none of them, where count is a multiple of 32.
template <class Sum, class Functor>
struct SumBlocks {
  static constexpr std::size_t sharedBytes = sumThreads * sizeof(Sum);
  Functor functor;
  int count, blocks;
  Sum* ofBlocks;

  __device__ void operator()(char* sharedMemory) const {
    Sum* const all = reinterpret_cast<Sum*>(sharedMemory);
    const int t = static_cast<int>(threadIdx.x), b = static_cast<int>(blockIdx.x);
    all[t] = Sum{};
#pragma unroll 1
    for (i64 i = i64{b} * sumThreads + t; i < count; i += i64{blocks} * sumThreads)
      functor(static_cast<int>(i), all[t]);
#pragma unroll 1
    for (int half = sumThreads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (t < half) all[t] += all[t + half];
    }
    if (t == 0) ofBlocks[b] = all[0];
  }
};

template <class Sum>
struct SumOfBlock {
  const Sum* ofBlocks;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int b, Sum& sum) const { sum += ofBlocks[b]; }
};

}  // namespace mesowarp::backend
