#pragma once

#include "core/types.hpp"
#include "device/kokkos_compatibility.hpp"

namespace mesowarp {

// n / d for n < 2^31 by a multiplication.
struct Quotient {
  u32 factor = 0;
  int shift = 31;
  static Quotient by(int d) {
    Quotient q;
    while (u64{1} << (q.shift - 31) < static_cast<u64>(d)) ++q.shift;
    q.factor = static_cast<u32>(((u64{1} << q.shift) + static_cast<u64>(d) - 1) / static_cast<u64>(d));
    return q;
  }
  KOKKOS_FORCEINLINE_FUNCTION int of(int n) const {
    return static_cast<int>(static_cast<u64>(static_cast<u32>(n)) * factor >> shift);
  }
};

}  // namespace mesowarp
