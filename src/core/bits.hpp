// What the functions of math.hpp and portable_math.hpp are made of.
#pragma once

#include "core/types.hpp"

namespace mesowarp::math {

template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

// The bits of a number, and the number that has them.
KOKKOS_FORCEINLINE_FUNCTION u32 wordsOf(float x) { return bitCast<u32>(x); }
KOKKOS_FORCEINLINE_FUNCTION u64 wordsOf(double x) { return bitCast<u64>(x); }
KOKKOS_FORCEINLINE_FUNCTION float numberOf(u32 words, float) { return bitCast<float>(words); }
KOKKOS_FORCEINLINE_FUNCTION double numberOf(u64 words, double) { return bitCast<double>(words); }

KOKKOS_FORCEINLINE_FUNCTION float fusedMultiplyAdd(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
KOKKOS_FORCEINLINE_FUNCTION double fusedMultiplyAdd(double a, double b, double c) { return __builtin_fma(a, b, c); }

}  // namespace mesowarp::math
