// How pair terms are added up: the seven methods of the quasi-double paper (Narumi et al., Table 1) as one policy type.
// A term comes as the product a b, so that where a method allows it the multiplication is fused. R: float, double, or a
// CPU's vector of them, a sum in each lane.
//
// add(a, b)    adds a b
// endTile()    after mostTerms terms at most
// total(lane)  one lane's sum: totals of parts of the j are merged in a fixed order, and value() is the sum
//
// Methods with an offset (`scaled`) need terms whose sums stay below 1: the force law brings them there by a power of
// two, value() is to be divided by it.
#pragma once

#include <type_traits>

#include "core/lanes.hpp"

namespace mesowarp {

constexpr int mostTerms = 256;  // of a tile: see FixedFloatSum

// Of method A and G the sum as it is; of B to E in double precision, which holds a pair of floats.
template <class Scalar>
struct PlainTotal {
  Scalar sum{};
  KOKKOS_INLINE_FUNCTION void merge(const PlainTotal& other) { sum += other.sum; }
  KOKKOS_INLINE_FUNCTION double value() const { return static_cast<double>(sum); }
  KOKKOS_INLINE_FUNCTION bool overflowed() const { return false; }
};

// A (float), G (double).
template <class R>
struct PlainSum {
  using Scalar = typename Lanes<R>::Scalar;
  using Total = PlainTotal<Scalar>;
  static constexpr bool scaled = false;
  R sum = R(0);
  KOKKOS_FORCEINLINE_FUNCTION void add(R a, R b) {
    using math::fusedMultiplyAdd;
    sum = fusedMultiplyAdd(a, b, sum);
  }
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {}
  KOKKOS_FORCEINLINE_FUNCTION Total total(int lane) const { return {Lanes<R>::get(sum, lane)}; }
};

// B: terms in single, sum in double precision.
template <class R>
struct WideSum {
  using Total = PlainTotal<double>;
  static constexpr bool scaled = false;
  typename Lanes<R>::Wide sum = 0.0;
  KOKKOS_FORCEINLINE_FUNCTION void add(R a, R b) {
    using math::widened;
    sum = sum + widened(a * b);
  }
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {}
  KOKKOS_FORCEINLINE_FUNCTION Total total(int lane) const {
    using math::wideLane;
    return {wideLane(sum, lane)};
  }
};

// C, Takahashi & Iitaka: a pair of floats, renormalised after each term (paper, Eq. 9; 10 operations).
template <class R>
struct TakahashiIitakaSum {
  using Total = PlainTotal<double>;
  static constexpr bool scaled = false;
  R high = R(0), low = R(0);
  KOKKOS_FORCEINLINE_FUNCTION void add(R a, R b) {
    const R term = a * b;
    const R z = high + term, w = z - high;
    const R rest = low + ((term - w) - ((z - w) - high));
    high = z + rest;
    low = rest - (high - z);
  }
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {}
  KOKKOS_FORCEINLINE_FUNCTION Total total(int lane) const {
    return {static_cast<double>(Lanes<R>::get(high, lane)) + static_cast<double>(Lanes<R>::get(low, lane))};
  }
};

// The offset of E and F, the paper's LARGE: 1.5 times a power of two, so that sums between -1 and 1 leave its exponent
// alone.
constexpr float sumOffset = 3.0f;

// D, Nitadori: what the addition to the high part lost is added to the low part, and nothing is renormalised (paper,
// section 3.1; 4 operations), as the remainder of the exact product. Right as long as the sum is larger than each term;
// not otherwise. E, modified Nitadori (Offset): the sum starts at an offset, which is larger than every term (paper,
// section 3.2).
template <class R, bool Offset>
struct RemainderSum {
  using Total = PlainTotal<double>;
  static constexpr bool scaled = Offset;
  static constexpr float offset = Offset ? sumOffset : 0.0f;
  R high = R(offset), low = R(0);
  KOKKOS_FORCEINLINE_FUNCTION void add(R a, R b) {
    using math::fusedMultiplyAdd;
    const R z = fusedMultiplyAdd(a, b, high);
    low = low + fusedMultiplyAdd(a, b, high - z);
    high = z;
  }
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {}
  KOKKOS_FORCEINLINE_FUNCTION Total total(int lane) const {
    return {static_cast<double>(Lanes<R>::get(high, lane)) - static_cast<double>(offset) +
            static_cast<double>(Lanes<R>::get(low, lane))};
  }
};
template <class R>
struct NitadoriSum : RemainderSum<R, false> {};
template <class R>
struct ModifiedNitadoriSum : RemainderSum<R, true> {};

// Sum of F, in units of 2^-Bits. An overflow, once there, stays.
template <int Bits>
struct FixedTotalOf {
  static constexpr i64 overflow = i64{-1} << 63;
  i64 sum = 0;
  KOKKOS_INLINE_FUNCTION void merge(const FixedTotalOf& other) {
    const i64 both = static_cast<i64>(static_cast<u64>(sum) + static_cast<u64>(other.sum));
    sum =
        overflowed() || other.overflowed() || magnitude(sum) + magnitude(other.sum) >= (u64{1} << 63) ? overflow : both;
  }
  KOKKOS_INLINE_FUNCTION double value() const { return static_cast<double>(sum) * unit; }
  KOKKOS_INLINE_FUNCTION bool overflowed() const { return sum == overflow; }
  static constexpr double unit = 1.0 / static_cast<double>(i64{1} << Bits);

private:
  KOKKOS_INLINE_FUNCTION static u64 magnitude(i64 x) {
    return x < 0 ? u64{0} - static_cast<u64>(x) : static_cast<u64>(x);
  }
};
// A product as F takes it: the float at the offset whose last place is 2^-22, and what that leaves at a second offset,
// where the last place is 2^-44. The second offset is a multiple of 2^-22, so adding it to the first one is exact, and
// one subtraction brings both in: three operations. Sums of words, each less its zero, are integers in units of 2^-22
// and 2^-44; together they are the product rounded to 2^-44, ties to even, however the high part is rounded.
template <class R>
struct FixedWords {
  using Words = typename Lanes<R>::Words;
  static constexpr float lowOffset = 0x1.8p-21f;
  static constexpr u32 highZero = 0x40400000u, lowZero = 0x35400000u;  // the bits of the offsets
  Words high, low;

  KOKKOS_FORCEINLINE_FUNCTION static FixedWords of(R a, R b) {
    using math::fusedMultiplyAdd, math::wordsOf;
#ifdef __CUDA_ARCH__
    const R z = __fmaf_rd(a, b, sumOffset);
#else
    const R z = fusedMultiplyAdd(a, b, R(sumOffset));
#endif
    return {wordsOf(z), wordsOf(fusedMultiplyAdd(a, b, R(sumOffset + lowOffset) - z))};
  }
  // A term of 1 or more has left the offset's exponent, whose bits are 1000 0000: of these words, ORed, left() says so.
  // A GPU rounds down for this: there even -3, which leaves zero, has a bit that shows, since that zero is negative.
  KOKKOS_FORCEINLINE_FUNCTION Words range() const {
#ifdef __CUDA_ARCH__
    return high;
#else
    return high - 0x40000000u;
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool left(u32 ranges) {
#ifdef __CUDA_ARCH__
    return (ranges & 0xBF800000u) != 0;
#else
    return (ranges & 0xFF800000u) != 0;
#endif
  }
  // Sums of words less their zeros as one integer.
  KOKKOS_FORCEINLINE_FUNCTION static i64 integer(u32 high, u32 low) {
#ifdef __CUDA_ARCH__
    const i64 lower = low;  // not negative
#else
    const i64 lower = static_cast<i32>(low);
#endif
    return static_cast<i64>(static_cast<i32>(high)) * (i64{1} << 22) + lower;
  }
};

// What sums of FixedWords are; seen: their ranges.
struct FixedTotal : FixedTotalOf<44> {
  KOKKOS_FORCEINLINE_FUNCTION static FixedTotal of(u32 high, u32 low, u32 seen) {
    FixedTotal total;
    total.sum = FixedWords<float>::left(seen) ? overflow : FixedWords<float>::integer(high, low);
    return total;
  }
};

// F, Narumi: a fixed-point number, so the order of terms cannot matter, and opposite terms cancel exactly (paper,
// section 3.3). Where the paper's high part is a running float, here each term is rounded at the offset by itself and
// its bits are added as integers: no conversion, five operations a term, and neither the sum of a tile nor the order
// can overflow.
template <class R>
struct FixedFloatSum {
  using Total = FixedTotal;
  static constexpr bool scaled = true, inTiles = true;
  using Words = typename Lanes<R>::Words;
  Words high{}, low{}, seen{};
  Total whole[Lanes<R>::width];

  KOKKOS_FORCEINLINE_FUNCTION void add(R a, R b) {
    using Fixed = FixedWords<R>;
    const Fixed term = Fixed::of(a, b);
    high = high + term.high - Fixed::highZero;
    low = low + term.low - Fixed::lowZero;
    seen = seen | term.range();
  }
  // |high| and |low| of a term are at most 2^22 units, so 256 of them fit an integer.
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {
    using L = Lanes<R>;
    for (int l = 0; l < L::width; ++l) whole[l].merge(Total::of(L::word(high, l), L::word(low, l), L::word(seen, l)));
    high = low = seen = Words{};
  }
  KOKKOS_FORCEINLINE_FUNCTION Total total(int lane) const { return whole[lane]; }
};

// F of products in double precision: the bits of the product at the offset, whose last place is 2^-51, in one integer.
// A term of 1 or more shows in the bits of its exponent; sums up to 2^11 of them fit.
template <class R>
struct FixedDoubleSum {
  using Total = FixedTotalOf<51>;
  static constexpr bool scaled = true, inTiles = true;
  static constexpr double offset = static_cast<double>(sumOffset);
  using Words = typename Lanes<R>::Words;
  Words sum{}, seen{};
  Total whole[Lanes<R>::width];

  KOKKOS_FORCEINLINE_FUNCTION void add(R a, R b) {
    using math::fusedMultiplyAdd, math::wordsOf;
    const Words moved = wordsOf(fusedMultiplyAdd(a, b, R(offset))) - math::bitCast<u64>(offset);
    sum = sum + moved;
    seen = seen | (moved + (u64{1} << 51));
  }
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {
    for (int l = 0; l < Lanes<R>::width; ++l)
      whole[l].merge({Lanes<R>::word(seen, l) >> 52 != 0 ? Total::overflow : static_cast<i64>(Lanes<R>::word(sum, l))});
    sum = Words{};
    seen = Words{};
  }
  KOKKOS_FORCEINLINE_FUNCTION Total total(int lane) const { return whole[lane]; }
};

template <class R>
struct FixedSum : std::conditional_t<sizeof(typename Lanes<R>::Scalar) == 4, FixedFloatSum<R>, FixedDoubleSum<R>> {};

// Whether endTile() matters.
template <class Sum>
constexpr bool summedInTiles = requires {
  Sum::inTiles;
};

}  // namespace mesowarp
