// A CPU's vector of numbers with the operators of a number. What C++ cannot say in GCC's vector types, fused operations
// and estimates of 1/sqrt(x), is said here once for AVX-512, AVX2 and any other machine.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "core/lanes.hpp"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace mesowarp::backend {

#if defined(__AVX512F__)
inline constexpr int packBytes = 64;
#elif defined(__AVX2__)
inline constexpr int packBytes = 32;
#else
inline constexpr int packBytes = 16;
#endif

// Lanes of two vectors in a row, by number: a new vector. (GCC has that from version 12 on.)
template <int... Lane, class Vector>
inline auto shuffled(const Vector& a, const Vector& b) {
#if defined(__has_builtin) && __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, Lane...);
#else
  constexpr int lanes = sizeof(a) / sizeof(a[0]);
  typedef std::remove_cvref_t<decltype(a[0])> Shuffled __attribute__((vector_size(sizeof...(Lane) * sizeof(a[0]))));
  return Shuffled{(Lane < lanes ? a[Lane % lanes] : b[Lane % lanes])...};
#endif
}

template <class T>
struct BitsOf;
template <>
struct BitsOf<float> {
  using Integer = i32;
  using Word = u32;
};
template <>
struct BitsOf<double> {
  using Integer = i64;
  using Word = u64;
};
template <>
struct BitsOf<u32> {
  using Integer = i32;
  using Word = u32;
};
template <>
struct BitsOf<i32> : BitsOf<u32> {};

template <class T>
struct Pack {
  static constexpr int width = packBytes / static_cast<int>(sizeof(T));
  typedef T Vector __attribute__((vector_size(packBytes)));
  typedef typename BitsOf<T>::Integer Integers __attribute__((vector_size(packBytes)));
  typedef typename BitsOf<T>::Word Words __attribute__((vector_size(packBytes)));

  Vector v{};
  Pack() = default;
  Pack(T number) : v(number - Vector{}) {}  // not +, which would make zero of -0
  explicit Pack(const Vector& vector) : v(vector) {}

  friend Pack operator+(Pack a, Pack b) { return Pack(a.v + b.v); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.v - b.v); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.v * b.v); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.v / b.v); }
  friend Pack operator-(Pack a) { return Pack(-a.v); }
  friend Pack select(const Integers& which, Pack yes, Pack no) { return Pack(which ? yes.v : no.v); }
  friend Pack larger(Pack a, Pack b) { return Pack(a.v > b.v ? a.v : b.v); }
  friend Pack smaller(Pack a, Pack b) { return Pack(a.v < b.v ? a.v : b.v); }
  friend Integers operator<(Pack a, Pack b) { return a.v < b.v; }
  friend Integers operator>(Pack a, Pack b) { return a.v > b.v; }
};

using Floats = Pack<float>;
using Doubles = Pack<double>;

}  // namespace mesowarp::backend

template <>
inline constexpr bool mesowarp::math::isSingle<mesowarp::backend::Floats> = true;

namespace mesowarp::backend {

// As many floats in double precision as a vector of floats has lanes.
struct WideFloats {
  static constexpr int width = Floats::width;
  Doubles low, high;
  WideFloats() = default;
  WideFloats(double number) : low(number), high(number) {}
  WideFloats(const Doubles& l, const Doubles& h) : low(l), high(h) {}
  friend WideFloats operator+(const WideFloats& a, const WideFloats& b) { return {a.low + b.low, a.high + b.high}; }
};

#if defined(__AVX512F__)
inline Floats fusedMultiplyAdd(Floats a, Floats b, Floats c) {
  return Floats(Floats::Vector(_mm512_fmadd_ps(__m512(a.v), __m512(b.v), __m512(c.v))));
}
inline Doubles fusedMultiplyAdd(Doubles a, Doubles b, Doubles c) {
  return Doubles(Doubles::Vector(_mm512_fmadd_pd(__m512d(a.v), __m512d(b.v), __m512d(c.v))));
}
inline Floats estimateInverseSquareRoot(Floats x) {  // relative 2^-14
  return Floats(Floats::Vector(_mm512_maskz_rsqrt14_ps(0xFFFF, __m512(x.v))));
}
inline Doubles estimateInverseSquareRoot(Doubles x) {
  return Doubles(Doubles::Vector(_mm512_maskz_rsqrt14_pd(0xFF, __m512d(x.v))));
}
inline Floats estimateReciprocal(Floats x) {
  return Floats(Floats::Vector(_mm512_maskz_rcp14_ps(0xFFFF, __m512(x.v))));
}
#elif defined(__AVX2__) && defined(__FMA__)
inline Floats fusedMultiplyAdd(Floats a, Floats b, Floats c) {
  return Floats(Floats::Vector(_mm256_fmadd_ps(__m256(a.v), __m256(b.v), __m256(c.v))));
}
inline Doubles fusedMultiplyAdd(Doubles a, Doubles b, Doubles c) {
  return Doubles(Doubles::Vector(_mm256_fmadd_pd(__m256d(a.v), __m256d(b.v), __m256d(c.v))));
}
inline Floats estimateInverseSquareRoot(Floats x) {  // relative 1.5 2^-12
  return Floats(Floats::Vector(_mm256_rsqrt_ps(__m256(x.v))));
}
inline Floats estimateReciprocal(Floats x) { return Floats(Floats::Vector(_mm256_rcp_ps(__m256(x.v)))); }
#else
template <class T>
inline Pack<T> fusedMultiplyAdd(Pack<T> a, Pack<T> b, Pack<T> c) {
  for (int l = 0; l < Pack<T>::width; ++l) c.v[l] = math::fusedMultiplyAdd(a.v[l], b.v[l], c.v[l]);
  return c;
}
inline Floats estimateInverseSquareRoot(Floats x) {
  for (int l = 0; l < Floats::width; ++l) x.v[l] = math::inverseSquareRoot(x.v[l]);
  return x;
}
inline Floats estimateReciprocal(Floats x) { return Floats(1.0f) / x; }
#endif

// One step of Newton's from the estimate: about 2^-23, x > 0.
inline Floats inverseSquareRoot(Floats x) {
  const Floats y = estimateInverseSquareRoot(x), half = Floats(0.5f);
  return fusedMultiplyAdd(y, fusedMultiplyAdd(-(half * x * y), y, half), y);
}
inline Doubles inverseSquareRoot(Doubles x) {
#if defined(__AVX512F__)
  // 2^-14 to 2^-42 by a step of third order, then one of Newton's.
  const Doubles y = estimateInverseSquareRoot(x), e = fusedMultiplyAdd(-(x * y), y, Doubles(1.0));
  const Doubles z = fusedMultiplyAdd(y * e, fusedMultiplyAdd(Doubles(0.375), e, Doubles(0.5)), y);
  return fusedMultiplyAdd(z, fusedMultiplyAdd(-(Doubles(0.5) * x * z), z, Doubles(0.5)), z);
#else
  for (int l = 0; l < Doubles::width; ++l) x.v[l] = math::squareRoot(x.v[l]);
  return Doubles(1.0) / x;
#endif
}
inline Floats reciprocal(Floats x) {
  const Floats y = estimateReciprocal(x);
  return fusedMultiplyAdd(y, fusedMultiplyAdd(-x, y, Floats(1.0f)), y);
}
inline Doubles reciprocal(Doubles x) { return Doubles(1.0) / x; }

inline Floats::Words wordsOf(Floats x) { return Floats::Words(x.v); }
inline Doubles::Words wordsOf(Doubles x) { return Doubles::Words(x.v); }

inline Floats numberOf(Floats::Words words, Floats) { return Floats(Floats::Vector(words)); }
inline Doubles numberOf(Doubles::Words words, Doubles) { return Doubles(Doubles::Vector(words)); }

// Portable's guesses (core/portable_math.hpp), the same bits lane by lane.
inline Floats guessInverseSquareRoot(Floats x) { return numberOf(0x5F375A86u - (wordsOf(x) >> 1), x); }
inline Floats guessReciprocal(Floats x) { return numberOf(0x7EF311C7u - wordsOf(x), x); }
inline Doubles guessInverseSquareRoot(Doubles x) { return numberOf((u64{0x5FE6EB50u} - (wordsOf(x) >> 33)) << 32, x); }
inline Doubles guessReciprocal(Doubles x) { return numberOf((u64{0x7FDE6238u} - (wordsOf(x) >> 32)) << 32, x); }

inline Floats exp2Of(Floats x) { return math::Portable::exp2Of(x); }
inline Doubles exp2Of(Doubles x) { return math::Portable::exp2Of(x); }

// ---- half a register: as many floats or 32-bit integers as a vector of doubles has lanes
template <class T>
using Half __attribute__((vector_size(packBytes / 2))) = T;
using HalfFloats = Half<float>;
using HalfIntegers = Half<i32>;

// As instructions of their own where there are some: GCC 12 makes two of each conversion, and joins what they give.
#if defined(__AVX512F__)
inline Doubles doublesOf(const HalfFloats& x) {
  return Doubles(Doubles::Vector(_mm512_maskz_cvtps_pd(0xFF, __m256(x))));
}
inline Doubles doublesOf(const HalfIntegers& x) {
  return Doubles(Doubles::Vector(_mm512_maskz_cvtepi32_pd(0xFF, __m256i(x))));
}
#elif defined(__AVX2__)
inline Doubles doublesOf(const HalfFloats& x) { return Doubles(Doubles::Vector(_mm256_cvtps_pd(__m128(x)))); }
inline Doubles doublesOf(const HalfIntegers& x) { return Doubles(Doubles::Vector(_mm256_cvtepi32_pd(__m128i(x)))); }
#else
inline Doubles doublesOf(const HalfFloats& x) { return Doubles(__builtin_convertvector(x, Doubles::Vector)); }
inline Doubles doublesOf(const HalfIntegers& x) { return Doubles(__builtin_convertvector(x, Doubles::Vector)); }
#endif
template <int First, class T, int... Lane>
inline HalfIntegers lanesFrom(const Pack<T>& x, std::integer_sequence<int, Lane...>) {
  const auto v = Pack<i32>::Vector(x.v);
  return shuffled<(First + Lane)...>(v, v);
}
template <class T>
inline HalfIntegers lowHalf(const Pack<T>& x) {
  return lanesFrom<0>(x, std::make_integer_sequence<int, Doubles::width>());
}
template <class T>
inline HalfIntegers highHalf(const Pack<T>& x) {
  return lanesFrom<Doubles::width>(x, std::make_integer_sequence<int, Doubles::width>());
}

inline WideFloats widened(Floats x) { return {doublesOf(HalfFloats(lowHalf(x))), doublesOf(HalfFloats(highHalf(x)))}; }
inline Doubles widened(Doubles x) { return x; }
inline double wideLane(const WideFloats& x, int lane) {
  return lane < Doubles::width ? x.low.v[lane] : x.high.v[lane - Doubles::width];
}
inline double wideLane(const Doubles& x, int lane) { return x.v[lane]; }

}  // namespace mesowarp::backend

namespace mesowarp {

template <class T>
struct Lanes<backend::Pack<T>> {
  using Scalar = T;
  using Mask = typename backend::Pack<T>::Integers;
  using Words = typename backend::Pack<T>::Words;
  using Keys = backend::Pack<u32>;
  using Wide = std::conditional_t<sizeof(T) == 4, backend::WideFloats, backend::Doubles>;
  static constexpr int width = backend::Pack<T>::width;
  static T get(const backend::Pack<T>& value, int lane) { return value.v[lane]; }
  static auto word(const Words& words, int lane) { return words[lane]; }
  static void set(backend::Pack<T>& value, int lane, T number) { value.v[lane] = number; }
};

}  // namespace mesowarp
