// What pair forces compute with on a CPU: vectors with a pair in each lane, as many as a vector register has 32-bit
// lanes (16 with AVX-512, 8 with AVX2). Numbers in single precision are one register (Floats), in double precision two
// (WideFloats), keys of noise one (Keys). Each function does in every lane what the function of the same name does with
// one number (core/math.hpp, core/bits.hpp), to the same bits: tests/unit/device/backend_lanes.cpp.
//
// Nothing here is left to a compiler's vectoriser. The loop over pairs used to be scalars under `#pragma omp simd`, and
// whether the compiler made vectors of it hung on a hair: in single precision GCC 12 gave up in silence (it found no
// vector type for a member of a template's buffer), in mixed with Lennard-Jones, too. tests/vectors compiles every loop
// that is to be vectors for AVX2 and AVX-512, reads the machine code and counts. A SIMD library would bring operators
// that GCC's vector types have already; what they lack (fused operations, roots, gathers) is a few lines for each
// instruction set.
#pragma once

#include <type_traits>

#include "core/math.hpp"
#include "device/pack_cpu.hpp"
#include "device/rounded_root_cpu.hpp"

namespace mesowarp::backend {

using Keys = Pack<u32>;
using SignedKeys = Pack<i32>;

template <class Real>
using PairNumbers = std::conditional_t<sizeof(Real) == 4, Floats, WideFloats>;

// ---- keys
inline Keys operator&(Keys a, Keys b) { return Keys(a.v & b.v); }
inline Keys operator|(Keys a, Keys b) { return Keys(a.v | b.v); }
inline Keys operator^(Keys a, Keys b) { return Keys(a.v ^ b.v); }
inline Keys operator<<(Keys a, int bits) { return Keys(a.v << bits); }
inline Keys operator>>(Keys a, int bits) { return Keys(a.v >> bits); }
inline SignedKeys asSigned(Keys a) { return SignedKeys(SignedKeys::Vector(a.v)); }

// ---- numbers in double precision: each half by itself
struct WideMask {
  Doubles::Integers low, high;
};
inline WideFloats operator-(const WideFloats& a, const WideFloats& b) { return {a.low - b.low, a.high - b.high}; }
inline WideFloats operator*(const WideFloats& a, const WideFloats& b) { return {a.low * b.low, a.high * b.high}; }
inline WideFloats operator/(const WideFloats& a, const WideFloats& b) { return {a.low / b.low, a.high / b.high}; }
inline WideFloats operator-(const WideFloats& a) { return {-a.low, -a.high}; }
inline WideMask operator<(const WideFloats& a, const WideFloats& b) { return {a.low < b.low, a.high < b.high}; }
inline WideMask operator>(const WideFloats& a, const WideFloats& b) { return {a.low > b.low, a.high > b.high}; }
inline WideFloats select(const WideMask& which, const WideFloats& yes, const WideFloats& no) {
  return {select(which.low, yes.low, no.low), select(which.high, yes.high, no.high)};
}
inline WideFloats larger(const WideFloats& a, const WideFloats& b) {
  return {larger(a.low, b.low), larger(a.high, b.high)};
}
inline WideFloats smaller(const WideFloats& a, const WideFloats& b) {
  return {smaller(a.low, b.low), smaller(a.high, b.high)};
}
inline WideFloats fusedMultiplyAdd(const WideFloats& a, const WideFloats& b, const WideFloats& c) {
  return {fusedMultiplyAdd(a.low, b.low, c.low), fusedMultiplyAdd(a.high, b.high, c.high)};
}
inline WideFloats guessInverseSquareRoot(const WideFloats& x) {
  return {guessInverseSquareRoot(x.low), guessInverseSquareRoot(x.high)};
}
inline WideFloats guessReciprocal(const WideFloats& x) { return {guessReciprocal(x.low), guessReciprocal(x.high)}; }

// ---- roots and whole numbers
#if defined(__AVX512F__)
inline Floats squareRoot(Floats x) { return Floats(Floats::Vector(_mm512_maskz_sqrt_ps(0xFFFF, __m512(x.v)))); }
inline Doubles squareRoot(Doubles x) { return Doubles(Doubles::Vector(_mm512_maskz_sqrt_pd(0xFF, __m512d(x.v)))); }
inline Floats floorOf(Floats x) {
  return Floats(
      Floats::Vector(_mm512_maskz_roundscale_ps(0xFFFF, __m512(x.v), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)));
}
inline Doubles floorOf(Doubles x) {
  return Doubles(
      Doubles::Vector(_mm512_maskz_roundscale_pd(0xFF, __m512d(x.v), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)));
}
#elif defined(__AVX2__)
inline Floats squareRoot(Floats x) { return Floats(Floats::Vector(_mm256_sqrt_ps(__m256(x.v)))); }
inline Doubles squareRoot(Doubles x) { return Doubles(Doubles::Vector(_mm256_sqrt_pd(__m256d(x.v)))); }
inline Floats floorOf(Floats x) { return Floats(Floats::Vector(_mm256_floor_ps(__m256(x.v)))); }
inline Doubles floorOf(Doubles x) { return Doubles(Doubles::Vector(_mm256_floor_pd(__m256d(x.v)))); }
#else
template <class T>
inline Pack<T> squareRoot(Pack<T> x) {
  for (int l = 0; l < Pack<T>::width; ++l) x.v[l] = math::squareRoot(x.v[l]);
  return x;
}
template <class T>
inline Pack<T> floorOf(Pack<T> x) {
  for (int l = 0; l < Pack<T>::width; ++l) x.v[l] = math::floorOf(x.v[l]);
  return x;
}
#endif
// sqrt(x) of x from 2^-960 to 2^960, such as a squared distance: the same bits. AVX2 has no estimate in double
// precision, and gains nothing by way of single precision (perf/log/pair_kernel_cpu.md).
inline Floats squareRootNormal(Floats x) { return squareRoot(x); }
#if defined(__AVX512F__)
inline Doubles squareRootNormal(Doubles x) { return squareRootFrom(x, estimateInverseSquareRoot(x)); }
#else
inline Doubles squareRootNormal(Doubles x) { return squareRoot(x); }
#endif
inline WideFloats squareRootNormal(const WideFloats& x) { return {squareRootNormal(x.low), squareRootNormal(x.high)}; }
inline WideFloats squareRoot(const WideFloats& x) { return {squareRoot(x.low), squareRoot(x.high)}; }
inline WideFloats floorOf(const WideFloats& x) { return {floorOf(x.low), floorOf(x.high)}; }

// ---- conversions: `From` of Keys::width numbers at `at`
template <class V, class From>
inline V loadAs(const From* at) {
  if constexpr (std::is_same_v<V, WideFloats>) {
    constexpr int half = Doubles::width;
    return {loadAs<Doubles>(at), loadAs<Doubles>(at + half)};
  } else {
    typedef From Loaded __attribute__((vector_size(V::width * sizeof(From))));
    Loaded loaded;
    std::memcpy(&loaded, at, sizeof(loaded));
    if constexpr (std::is_same_v<V, Doubles> && sizeof(From) == 4)
      return doublesOf(loaded);
    else
      return V(__builtin_convertvector(loaded, typename V::Vector));
  }
}
inline void store(float* at, const Floats& x) { std::memcpy(at, &x.v, sizeof(x.v)); }
inline void store(u32* at, const Keys& x) { std::memcpy(at, &x.v, sizeof(x.v)); }
inline void store(double* at, const WideFloats& x) {
  std::memcpy(at, &x.low.v, sizeof(x.low.v)), std::memcpy(at + Doubles::width, &x.high.v, sizeof(x.high.v));
}
template <class V>
inline V fromInteger(SignedKeys x) {
  if constexpr (std::is_same_v<V, Floats>) {
    return Floats(__builtin_convertvector(x.v, Floats::Vector));
  } else {
    return {doublesOf(lowHalf(x)), doublesOf(highHalf(x))};
  }
}

// ---- exponents. Vector units before AVX-512 neither shift 64-bit integers arithmetically nor convert them: in double
// precision an exponent, with a bias that keeps it positive, goes through the lowest bits of 2^52 + exponent.
inline math::Split<Floats> split(Floats x) {
  const Floats::Integers bits = Floats::Integers(x.v), exponent = (bits - 0x3f3504f3) >> 23;
  return {Floats(__builtin_convertvector(exponent, Floats::Vector)), Floats(Floats::Vector(bits - (exponent << 23)))};
}
inline math::Split<Doubles> split(Doubles x) {
  constexpr u64 bias = u64{1024} << 52;
  const Doubles::Words bits = wordsOf(x), biased = bits - (u64{0x3fe6a09e667f3bcd} - bias);
  const Doubles exponent = numberOf(biased >> 52 | u64{0x4330000000000000}, x) - Doubles(0x1p52 + 1024.0);
  return {exponent, numberOf(bits - ((biased & u64{0xFFF0000000000000}) - bias), x)};
}
inline math::Split<WideFloats> split(const WideFloats& x) {
  const auto low = split(x.low), high = split(x.high);
  return {{low.exponent, high.exponent}, {low.mantissa, high.mantissa}};
}
inline Floats powerOfTwo(Floats n) {
  const auto whole = __builtin_convertvector(larger(n, Floats(-126.0f)).v, Floats::Integers);
  return Floats(Floats::Vector((whole + 127) << 23));
}
inline Doubles powerOfTwo(Doubles n) {
  return numberOf(wordsOf(larger(n, Doubles(-1022.0)) + Doubles(0x1.8p52 + 1023.0)) << 52, n);
}
inline WideFloats powerOfTwo(const WideFloats& n) { return {powerOfTwo(n.low), powerOfTwo(n.high)}; }

// ---- look-ups: lane l: base[index of lane l]; with masks, since GCC 12 warns of its own undefined operands otherwise
#if defined(__AVX512F__)
inline Floats gather(const float* base, Keys index, Floats) {
  return Floats(Floats::Vector(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xFFFF, __m512i(index.v), base, 4)));
}
inline WideFloats gather(const double* base, Keys index, WideFloats) {
  const auto of = [&](HalfIntegers i) {
    return Doubles(Doubles::Vector(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xFF, __m256i(i), base, 8)));
  };
  return {of(lowHalf(index)), of(highHalf(index))};
}
#elif defined(__AVX2__)
inline Floats gather(const float* base, Keys index, Floats) {
  const __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
  return Floats(Floats::Vector(_mm256_mask_i32gather_ps(_mm256_setzero_ps(), base, __m256i(index.v), all, 4)));
}
inline WideFloats gather(const double* base, Keys index, WideFloats) {
  const __m256d all = _mm256_castsi256_pd(_mm256_set1_epi32(-1));
  const auto of = [&](HalfIntegers i) {
    return Doubles(Doubles::Vector(_mm256_mask_i32gather_pd(_mm256_setzero_pd(), base, __m128i(i), all, 8)));
  };
  return {of(lowHalf(index)), of(highHalf(index))};
}
#else
inline Floats gather(const float* base, Keys index, Floats x) {
  for (int l = 0; l < Floats::width; ++l) x.v[l] = base[index.v[l]];
  return x;
}
inline WideFloats gather(const double* base, Keys index, WideFloats x) {
  constexpr int half = Doubles::width;
  for (int l = 0; l < half; ++l) x.low.v[l] = base[index.v[l]], x.high.v[l] = base[index.v[l + half]];
  return x;
}
#endif

}  // namespace mesowarp::backend

namespace mesowarp {

template <>
struct Lanes<backend::WideFloats> {
  using Scalar = double;
  using Keys = backend::Keys;
};

}  // namespace mesowarp
