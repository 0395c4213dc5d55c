// Totals of accumulators (core/accumulators.hpp) from one thread of a warp to another.
#pragma once

#include <cstring>

#include "core/types.hpp"

namespace mesowarp::backend {

// Something of several words, each of them shuffled.
template <class T, class Shuffle>
KOKKOS_FORCEINLINE_FUNCTION T wordByWord(const T& mine, const Shuffle& shuffle) {
  u32 words[sizeof(T) / sizeof(u32)];
  memcpy(words, &mine, sizeof(T));
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (u32& word : words) word = shuffle(word);
  T other;
  memcpy(&other, words, sizeof(T));
  return other;
}

// What the thread `from` of the warp has.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T ofLane(const T& mine, [[maybe_unused]] int from) {
#ifdef __CUDA_ARCH__
  return wordByWord(mine, [&](u32 word) { return __shfl_sync(0xFFFFFFFFu, word, from); });
#else
  return mine;
#endif
}

// Merges that of the thread whose number differs in these bits: both then have the same, in the same order.
template <class Total>
KOKKOS_FORCEINLINE_FUNCTION void mergeLane([[maybe_unused]] Total& total, [[maybe_unused]] int bits) {
#ifdef __CUDA_ARCH__
  total.merge(wordByWord(total, [&](u32 word) { return __shfl_xor_sync(0xFFFFFFFFu, word, bits); }));
#endif
}

}  // namespace mesowarp::backend
