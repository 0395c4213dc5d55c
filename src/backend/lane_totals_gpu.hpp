// Totals of accumulators (core/accumulators.hpp) from one thread of a warp to another.
#pragma once

#include <cstring>

#include "core/types.hpp"

namespace mesowarp::backend {

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
