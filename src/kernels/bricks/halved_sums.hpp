// Sums as the words of a window where these have no form of their own: the two halves of each, the lower one first.
// Halves have no room for all of a cell's particles, so who adds to the lower one takes what it carries to the other.
#pragma once

#include "core/types.hpp"
#include "device/kokkos_compatibility.hpp"

namespace mesowarp {

template <int Sums>
struct HalvedSums {
  static constexpr bool carries = true;
  static constexpr int words = 2 * Sums, sums = Sums;

  KOKKOS_FORCEINLINE_FUNCTION static void split(const u64* sum, u32* word) {
    for (int s = 0; s < sums; ++s)
      word[2 * s] = static_cast<u32>(sum[s]), word[2 * s + 1] = static_cast<u32>(sum[s] >> 32);
  }
  // False: all are zero.
  KOKKOS_FORCEINLINE_FUNCTION static bool join(const u32* word, u64* sum) {
    u64 any = 0;
    for (int s = 0; s < sums; ++s) sum[s] = static_cast<u64>(word[2 * s + 1]) << 32 | word[2 * s], any |= sum[s];
    return any != 0;
  }
};

}  // namespace mesowarp
