// Roots, quotients and powers of two from add, multiply, fused multiply-add and integer operations alone: IEEE 754
// fixes each of them, so every machine, compiler and vector unit gets the same bits, GPUs included. No division and no
// branches: about 12 operations a root, where a GPU needs as many, and a branch, for a correctly rounded one and as
// many again for a quotient.
//
// V: float, double, or a CPU's vector of them (src/device/pack_cpu.hpp), in each lane of which the same happens.
// `Hardware` (math.hpp) and `HardwareLanes` (lanes.hpp) have the same functions as each machine does them fastest.
#pragma once

#include "core/math.hpp"

namespace mesowarp::math {

// 1 / sqrt(x) to 3.5%, 1 / x to 12%: half the exponent, or all of it, taken from a constant's.
KOKKOS_FORCEINLINE_FUNCTION float guessInverseSquareRoot(float x) {
  return bitCast<float>(0x5F375A86u - (bitCast<u32>(x) >> 1));
}
KOKKOS_FORCEINLINE_FUNCTION float guessReciprocal(float x) { return bitCast<float>(0x7EF311C7u - bitCast<u32>(x)); }
KOKKOS_FORCEINLINE_FUNCTION double guessInverseSquareRoot(double x) {
  return bitCast<double>(static_cast<u64>(0x5FE6EB50u - static_cast<u32>(bitCast<u64>(x) >> 33)) << 32);
}
KOKKOS_FORCEINLINE_FUNCTION double guessReciprocal(double x) {
  return bitCast<double>(static_cast<u64>(0x7FDE6238u - static_cast<u32>(bitCast<u64>(x) >> 32)) << 32);
}

struct Portable {
  // 1 / sqrt(x), relative error below 1e-7 (float), 2e-16 (double); for x = 0 a large finite number.
  // From the guess, e = 1 - x y^2 and the series of y / sqrt(1 - e), twice.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V inverseSquareRoot(V x) {
    V y = guessInverseSquareRoot(x), e = fusedMultiplyAdd(-(x * y), y, V(1));
    if constexpr (isSingle<V>) {
      y = fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, fusedMultiplyAdd(e, V(0.3125f), V(0.375f)), V(0.5f)), y);
      e = fusedMultiplyAdd(-(x * y), y, V(1));
      return fusedMultiplyAdd(V(0.5f) * y, e, y);
    } else {
      y = fusedMultiplyAdd(
          y * e,
          fusedMultiplyAdd(e, fusedMultiplyAdd(e, fusedMultiplyAdd(e, V(0.2734375), V(0.3125)), V(0.375)), V(0.5)), y);
      e = fusedMultiplyAdd(-(x * y), y, V(1));
      return fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, V(0.375), V(0.5)), y);
    }
  }
  // sqrt(x), x >= 0; 0 of 0.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V squareRootPositive(V x) {
    return x * inverseSquareRoot(x);
  }

  // 1 / x, x > 0; relative error below 1e-7 (float), 2e-16 (double).
  // From the guess, e = 1 - x y and the series of y / (1 - e), twice.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V reciprocal(V x) {
    V y = guessReciprocal(x), e = fusedMultiplyAdd(-x, y, V(1));
    y = fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, e, e) + V(1), y);
    e = fusedMultiplyAdd(-x, y, V(1));
    if constexpr (isSingle<V>)
      return fusedMultiplyAdd(y, e, y);
    else
      return fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, e, e) + V(1), y);
  }
  // a / b, b > 0.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V quotient(V a, V b) {
    return a * reciprocal(b);
  }

  // 2^x, x below the largest exponent of the type; below the smallest one the smallest power there is.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V exp2Of(V x) {
    if constexpr (isSingle<V>)
      return exp2With<coefficients::exp2Single>(x, V(0x1.8p23f), V(-126.0f), u32{127}, 23);
    else
      return exp2With<coefficients::exp2Full>(x, V(0x1.8p52), V(-1022.0), u64{1023}, 52);
  }

private:
  // The nearest integer by adding a number so large that nothing behind the point is left; it stands in the sum's bits.
  template <const auto& C, class V, class Word>
  KOKKOS_FORCEINLINE_FUNCTION static V exp2With(V x, V large, V lowest, Word bias, int bits) {
    const V at = larger(x, lowest), shifted = at + large;
    const V scale = numberOf((wordsOf(shifted) - wordsOf(large) + bias) << bits, x);
    return scale * polynomial<C>(at - (shifted - large));
  }
};

}  // namespace mesowarp::math
