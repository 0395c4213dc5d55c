// Totals of accumulators (core/accumulators.hpp) from one thread of a warp to another.
#pragma once

#include <cstring>

#include "core/types.hpp"

namespace mesowarp::backend {

// What the thread `from` of the warp has, word by word.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T ofLane(const T& mine, [[maybe_unused]] int from) {
  T other = mine;
#ifdef __CUDA_ARCH__
  u32 words[sizeof(T) / sizeof(u32)];
  memcpy(words, &mine, sizeof(T));
#pragma unroll
  for (u32& word : words) word = __shfl_sync(0xFFFFFFFFu, word, from);
  memcpy(&other, words, sizeof(T));
#endif
  return other;
}

// Merges that of the thread whose number differs in these bits: both then have the same, in the same order.
template <class Total>
KOKKOS_FORCEINLINE_FUNCTION void mergeLane(Total& total, [[maybe_unused]] int bits) {
#ifdef __CUDA_ARCH__
  u32 words[sizeof(Total) / sizeof(u32)];
  memcpy(words, &total, sizeof(Total));
#pragma unroll
  for (u32& word : words) word = __shfl_xor_sync(0xFFFFFFFFu, word, bits);
  Total other;
  memcpy(&other, words, sizeof(Total));
  total.merge(other);
#endif
}

}  // namespace mesowarp::backend
