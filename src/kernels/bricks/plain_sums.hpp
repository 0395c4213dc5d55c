// Sums over cells that lie in memory alone.
#pragma once

#include "core/types.hpp"

namespace mesowarp {

template <int Sums>
struct PlainSums {
  u64* sum;
  KOKKOS_FORCEINLINE_FUNCTION void read(int cell, u64 (&to)[Sums]) const {
    const u64* const from = sum + static_cast<std::size_t>(cell) * Sums;
    for (int k = 0; k < Sums; ++k) to[k] = from[k];
  }
  // Zero behind it.
  KOKKOS_FORCEINLINE_FUNCTION void take(int cell, u64 (&to)[Sums]) const {
    u64* const from = sum + static_cast<std::size_t>(cell) * Sums;
    for (int k = 0; k < Sums; ++k) to[k] = from[k], from[k] = 0;
  }
};

}  // namespace mesowarp
