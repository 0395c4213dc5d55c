// Roots and quotients from add, multiply, fused multiply-add and integer operations alone: IEEE 754 fixes each of them, so every
// machine, compiler and vector unit gets the same bits, GPUs included. No division and no branches: about 12 operations,
// where a GPU needs as many, and a branch, for a correctly rounded root and as many again for a quotient.
//
// `Hardware` (math.hpp) has the same functions as each machine does them fastest.
#pragma once

#include "core/bits.hpp"

namespace mesowarp::math {

struct Portable {
  // 1 / sqrt(x), relative error below 1e-7 (float), 2e-16 (double); for x = 0 a large finite number.
  // A guess of 3.5% from the exponent, then e = 1 - x y^2 and the series of y / sqrt(1 - e).
  KOKKOS_FORCEINLINE_FUNCTION static float inverseSquareRoot(float x) {
    float y = bitCast<float>(0x5F375A86u - (bitCast<u32>(x) >> 1));
    float e = fusedMultiplyAdd(-(x * y), y, 1.0f);
    y = fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, fusedMultiplyAdd(e, 0.3125f, 0.375f), 0.5f), y);
    e = fusedMultiplyAdd(-(x * y), y, 1.0f);
    return fusedMultiplyAdd(0.5f * y, e, y);
  }
  KOKKOS_FORCEINLINE_FUNCTION static double inverseSquareRoot(double x) {
    double y = bitCast<double>(static_cast<u64>(0x5FE6EB50u - static_cast<u32>(bitCast<u64>(x) >> 33)) << 32);
    double e = fusedMultiplyAdd(-(x * y), y, 1.0);
    y = fusedMultiplyAdd(
        y * e, fusedMultiplyAdd(e, fusedMultiplyAdd(e, fusedMultiplyAdd(e, 0.2734375, 0.3125), 0.375), 0.5), y);
    e = fusedMultiplyAdd(-(x * y), y, 1.0);
    return fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, 0.375, 0.5), y);
  }
  // sqrt(x), x >= 0; 0 of 0.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real squareRootPositive(Real x) {
    return x * inverseSquareRoot(x);
  }

  // 1 / x, x > 0; relative error below 1e-7 (float), 2e-16 (double).
  // A guess of 12% from the exponent, then e = 1 - x y and the series of y / (1 - e).
  KOKKOS_FORCEINLINE_FUNCTION static float reciprocal(float x) {
    float y = bitCast<float>(0x7EF311C7u - bitCast<u32>(x));
    float e = fusedMultiplyAdd(-x, y, 1.0f);
    y = fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, e, e) + 1.0f, y);
    e = fusedMultiplyAdd(-x, y, 1.0f);
    return fusedMultiplyAdd(y, e, y);
  }
  KOKKOS_FORCEINLINE_FUNCTION static double reciprocal(double x) {
    double y = bitCast<double>(static_cast<u64>(0x7FDE6238u - static_cast<u32>(bitCast<u64>(x) >> 32)) << 32);
    double e = fusedMultiplyAdd(-x, y, 1.0);
    y = fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, e, e) + 1.0, y);
    e = fusedMultiplyAdd(-x, y, 1.0);
    return fusedMultiplyAdd(y * e, fusedMultiplyAdd(e, e, e) + 1.0, y);
  }
  // a / b, b > 0.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real quotient(Real a, Real b) {
    return a * reciprocal(b);
  }
};

}  // namespace mesowarp::math
