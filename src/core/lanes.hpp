// What the same arithmetic needs to know of a number and of a CPU's vector of numbers (src/device/pack_cpu.hpp), so
// that one body of code serves a GPU's thread and a CPU's vector unit. Here: of a number, which is a vector of one
// lane.
#pragma once

#include "core/math.hpp"
#include "core/portable_math.hpp"

namespace mesowarp {

template <class R>
struct Lanes {
  using Scalar = R;
  using Mask = bool;
  using Words = std::conditional_t<sizeof(R) == 4, u32, u64>;  // its bits
  using Keys = u32;     // a word of 32 bits for each, whatever its own size: what noise is made of
  using Wide = double;  // its values in double precision
  static constexpr int width = 1;
  KOKKOS_FORCEINLINE_FUNCTION static R get(R value, int) { return value; }
  KOKKOS_FORCEINLINE_FUNCTION static Words word(Words words, int) { return words; }
  KOKKOS_FORCEINLINE_FUNCTION static void set(R& value, int, R number) { value = number; }
};

namespace math {

KOKKOS_FORCEINLINE_FUNCTION double widened(float x) { return static_cast<double>(x); }
KOKKOS_FORCEINLINE_FUNCTION double widened(double x) { return x; }
KOKKOS_FORCEINLINE_FUNCTION double wideLane(double x, int) { return x; }

KOKKOS_FORCEINLINE_FUNCTION float reciprocal(float x) { return 1.0f / x; }
KOKKOS_FORCEINLINE_FUNCTION double reciprocal(double x) { return quotient(1.0, x); }

// 2^x, x within the exponents of the type; on a GPU single precision has an instruction for it (2 units in the last
// place).
KOKKOS_FORCEINLINE_FUNCTION float exp2Of(float x) {
#ifdef __CUDA_ARCH__
  return ::exp2f(x);
#else
  return Portable::exp2Of(x);
#endif
}
KOKKOS_FORCEINLINE_FUNCTION double exp2Of(double x) { return Portable::exp2Of(x); }

// Portable's functions of numbers and vectors, as each machine does them fastest.
struct HardwareLanes {
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V inverseSquareRoot(V x) {
    using math::inverseSquareRoot;
    return inverseSquareRoot(x);
  }
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V reciprocal(V x) {
    using math::reciprocal;
    return reciprocal(x);
  }
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V quotient(V a, V b) {
    using math::quotient;
    return quotient(a, b);
  }
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V exp2Of(V x) {
    using math::exp2Of;
    return exp2Of(x);
  }
};

}  // namespace math
}  // namespace mesowarp
