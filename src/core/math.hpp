// Branch-free logarithm, sine and power (DPD paper, section 3.5), from add, multiply, fused multiply-add, divide and
// square root only: IEEE 754 fixes each, so bits are the same everywhere (but squareRoot(float) on a GPU: 1 unit off).
// V: float, double, or a CPU's vector of them (src/device/pair_lanes_cpu.hpp), in each lane of which the same happens.
// Coefficients: perf/derive_polynomials.py.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "core/bits.hpp"
#include "core/math_coefficients.hpp"

namespace mesowarp::math {

// Whether V's numbers are floats.
template <class V>
inline constexpr bool isSingle = std::is_same_v<V, float>;

KOKKOS_FORCEINLINE_FUNCTION float squareRoot(float x) { return __builtin_sqrtf(x); }
KOKKOS_FORCEINLINE_FUNCTION double squareRoot(double x) { return __builtin_sqrt(x); }
// Roots and quotients as each machine does them fastest; Portable (portable_math.hpp) has the same functions with the
// same bits everywhere. On a GPU, the hardware's approximations: of single precision as they are (2 units in the last
// place), of double precision refined to about 1 unit. They save the general case's tests for denormal, infinite and
// negative arguments; none of these occur here. Elsewhere, IEEE operations.
struct Hardware {
  // x neither tiny nor huge (2^-960 to 2^960 in double precision).
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V inverseSquareRoot(V x) {
    return V(1) / squareRootNormal(x);  // of a CPU's vectors alone (src/device/pair_lanes_cpu.hpp)
  }
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V squareRootPositive(V x) {
    return squareRoot(x);
  }
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V quotient(V a, V b) {
    return a / b;
  }
  KOKKOS_FORCEINLINE_FUNCTION static float inverseSquareRoot(float x) {
#ifdef __CUDA_ARCH__
    return ::rsqrtf(x);
#else
    return 1.0f / squareRoot(x);
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION static double inverseSquareRoot(double x) {
#ifdef __CUDA_ARCH__
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = __fma_rn(-(x * y), y, 1.0);  // third-order step
    return __fma_rn(y * e, __fma_rn(0.375, e, 0.5), y);
#else
    return 1.0 / squareRoot(x);
#endif
  }
  // sqrt(x), x > 0.
  KOKKOS_FORCEINLINE_FUNCTION static float squareRootPositive(float x) { return squareRoot(x); }
  KOKKOS_FORCEINLINE_FUNCTION static double squareRootPositive(double x) {
#ifdef __CUDA_ARCH__
    return x * inverseSquareRoot(x);
#else
    return squareRoot(x);
#endif
  }
  // a / b, b neither tiny nor huge.
  KOKKOS_FORCEINLINE_FUNCTION static float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fdividef(a, b);
#else
    return a / b;
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION static double quotient(double a, double b) {
#ifdef __CUDA_ARCH__
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    r = __fma_rn(r, __fma_rn(-b, r, 1.0), r);
    r = __fma_rn(r, __fma_rn(-b, r, 1.0), r);
    return a * r;
#else
    return a / b;
#endif
  }
};
// a / b as IEEE 754 has it, whatever a compiler may do to the operator.
KOKKOS_FORCEINLINE_FUNCTION float divide(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}
KOKKOS_FORCEINLINE_FUNCTION double divide(double a, double b) { return a / b; }

KOKKOS_FORCEINLINE_FUNCTION float inverseSquareRoot(float x) { return Hardware::inverseSquareRoot(x); }
KOKKOS_FORCEINLINE_FUNCTION double inverseSquareRoot(double x) { return Hardware::inverseSquareRoot(x); }
KOKKOS_FORCEINLINE_FUNCTION float quotient(float a, float b) { return Hardware::quotient(a, b); }
KOKKOS_FORCEINLINE_FUNCTION double quotient(double a, double b) { return Hardware::quotient(a, b); }

// An integer as Real; exact in double, where on a GPU an addition is faster than the conversion unit.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real fromInteger(std::int32_t x) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 8) return __hiloint2double(0x43300000, x ^ 0x80000000) - 4503601774854144.0;
#endif
  return static_cast<Real>(x);
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real fromInteger(std::int64_t x) {
  return static_cast<Real>(x);
}

KOKKOS_FORCEINLINE_FUNCTION float floorOf(float x) { return __builtin_floorf(x); }
KOKKOS_FORCEINLINE_FUNCTION double floorOf(double x) { return __builtin_floor(x); }

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real larger(Real a, Real b) {
  return a > b ? a : b;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real smaller(Real a, Real b) {
  return a < b ? a : b;
}
template <class R>
KOKKOS_FORCEINLINE_FUNCTION R select(bool which, R yes, R no) {
  return which ? yes : no;
}
KOKKOS_FORCEINLINE_FUNCTION i32 asSigned(u32 word) { return static_cast<i32>(word); }

// Polynomial with coefficients C[I], C[I+1], ... by Horner's rule.
template <const auto& C, int I = 0, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real polynomial(Real x) {
  constexpr auto c = C[I];
  if constexpr (I + 1 < static_cast<int>(std::size(C))) {
    return fusedMultiplyAdd(polynomial<C, I + 1>(x), x, Real(c));
  } else {
    return Real(c);
  }
}

// x = 2^exponent * mantissa, mantissa in [sqrt(1/2), sqrt(2)), for x > 0 and normal.
template <class Real>
struct Split {
  Real exponent, mantissa;
};

KOKKOS_FORCEINLINE_FUNCTION Split<float> split(float x) {
  const std::int32_t bits = bitCast<std::int32_t>(x);
  const std::int32_t exponent = (bits - 0x3f3504f3) >> 23;
  return {static_cast<float>(exponent), bitCast<float>(bits - (exponent << 23))};
}

KOKKOS_FORCEINLINE_FUNCTION Split<double> split(double x) {
  const std::int64_t bits = bitCast<std::int64_t>(x);
  const std::int32_t exponent = static_cast<std::int32_t>((bits - 0x3fe6a09e667f3bcdLL) >> 32) >> 20;
  return {fromInteger<double>(exponent), bitCast<double>(bits - (static_cast<std::int64_t>(exponent) << 52))};
}

template <class Math, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real reducedArgument(Real mantissa) {
  return Math::quotient(mantissa - Real(1), mantissa + Real(1));
}

// A multiple of ln x from the same multiple of its polynomial's coefficients and of ln 2.
template <const auto& C, class Math, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real logWith(Real x, Real lnTwo) {
  const Split<Real> s = split(x);
  const Real z = reducedArgument<Math>(s.mantissa);
  return fusedMultiplyAdd(polynomial<C>(z * z), z, s.exponent * lnTwo);
}

// Natural logarithm of x > 0, to the accuracy that 32-bit noise needs: relative 5e-12 (double), 2e-7 (float).
template <class Math = Hardware, class V>
KOKKOS_FORCEINLINE_FUNCTION V logUnit(V x) {
  if constexpr (isSingle<V>)
    return logWith<coefficients::lnSingle, Math>(x, V(0.693147180559945f));
  else
    return logWith<coefficients::lnReduced, Math>(x, V(0.693147180559945309));
}

// -2 ln x: the same with every coefficient times -2, which is exact.
template <const auto& C>
constexpr auto timesMinusTwo() {
  auto scaled = std::to_array(C);
  for (auto& c : scaled) c *= -2;
  return scaled;
}
inline constexpr auto minusTwoLnSingle = timesMinusTwo<coefficients::lnSingle>();
inline constexpr auto minusTwoLnReduced = timesMinusTwo<coefficients::lnReduced>();

template <class Math = Hardware, class V>
KOKKOS_FORCEINLINE_FUNCTION V minusTwoLogUnit(V x) {
  if constexpr (isSingle<V>)
    return logWith<minusTwoLnSingle, Math>(x, V(-2 * 0.693147180559945f));
  else
    return logWith<minusTwoLnReduced, Math>(x, V(-2 * 0.693147180559945309));
}

// sin(pi t) for |t| <= 1/2.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION V sinPiHalf(V t) {
  if constexpr (isSingle<V>)
    return t * polynomial<coefficients::sinePiSingle>(t * t);
  else
    return t * polynomial<coefficients::sinePiReduced>(t * t);
}

// A uniform word as a number in (0, 1]: 31 bits, never zero.
template <class V, class Keys>
KOKKOS_FORCEINLINE_FUNCTION V unitOpen(Keys word) {
  return fromInteger<V>(asSigned(word >> 1 | u32{1})) * V(4.656612873077392578125e-10);  // 2^-31
}

KOKKOS_FORCEINLINE_FUNCTION float powerOfTwo(float n) {
  return bitCast<float>((static_cast<std::int32_t>(larger(n, -126.0f)) + 127) << 23);
}
KOKKOS_FORCEINLINE_FUNCTION double powerOfTwo(double n) {
  return bitCast<double>(static_cast<std::int64_t>(static_cast<std::int32_t>(larger(n, -1022.0)) + 1023) << 52);
}

// a^b for a > 0, normal, and a result in the normal range (DPD paper, Algorithm 5): exponent and fraction of b log2 a
// are kept apart so that the mantissa keeps its bits.
template <class Math, class Real, const auto& Log2, const auto& Exp2>
KOKKOS_FORCEINLINE_FUNCTION Real powerWith(Real a, Real b) {
  const Split<Real> s = split(a);
  const Real z = reducedArgument<Math>(s.mantissa);
  const Real fraction = z * polynomial<Log2>(z * z);
  const Real whole = floorOf(fusedMultiplyAdd(b, s.exponent + fraction, Real(0.5)));
  const Real rest = fusedMultiplyAdd(b, fraction, fusedMultiplyAdd(b, s.exponent, -whole));
  return powerOfTwo(whole) * polynomial<Exp2>(rest);
}

template <class Math = Hardware, class V>
KOKKOS_FORCEINLINE_FUNCTION V power(V a, V b) {
  if constexpr (isSingle<V>)
    return powerWith<Math, V, coefficients::log2Single, coefficients::exp2Single>(a, b);
  else
    return powerWith<Math, V, coefficients::log2Full, coefficients::exp2Full>(a, b);
}

}  // namespace mesowarp::math
