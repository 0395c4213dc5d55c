// Threads add to a place of a window in shared memory, by native 32-bit atomics: those of 64 bits would be loops there.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

// Words: carries, words (brick_task.hpp). Words of a place are `pitch` apart.
template <class Words>
__device__ void addWords(u32* at, int pitch, const u32 (&word)[Words::words]) {
  if constexpr (!Words::carries) {
#pragma unroll
    for (int k = 0; k < Words::words; ++k) atomicAdd(at + k * pitch, word[k]);
  } else {
    // Some at a time, so that they wait together, and not all, for which there are no registers.
    constexpr int atOnce = 6;
#pragma unroll
    for (int first = 0; first < Words::sums; first += atOnce) {
      u32 before[atOnce];
#pragma unroll
      for (int q = 0; q < atOnce; ++q)
        if (first + q < Words::sums) before[q] = atomicAdd(at + 2 * (first + q) * pitch, word[2 * (first + q)]);
#pragma unroll
      for (int q = 0; q < atOnce; ++q) {
        if (first + q >= Words::sums) continue;
        const u32 low = word[2 * (first + q)], high = word[2 * (first + q) + 1];
        const u32 more = high + (before[q] + low < low ? 1u : 0u);
        if (more != 0) atomicAdd(at + (2 * (first + q) + 1) * pitch, more);
      }
    }
  }
}

}  // namespace mesowarp::backend
