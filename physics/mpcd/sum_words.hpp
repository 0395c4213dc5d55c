// Sums over a cell's particles, as integers: of the velocities, of their squares, of ones. So no order of additions can
// matter, and momentum is summed to more than the accuracy with which velocities are stored.
//
// A velocity component is v = (high + low 2^-lowBits) 2^-mainBits, high = floor(v 2^mainBits), low rounded to the
// nearest. Both are summed apart in words of 32 bits (a window's, see kernels/bricks), and together in one of 64 bits
// (a cell's). With at most mostInCell() particles, none faster than the limit, no field of a word overflows; both are
// checked, the one by the cells' kernel, the other by each particle. Of 64-bit storage low is an integer, and what is
// behind its point has lastBits more bits: what the cells' sums have room for, or momentum would drift by their
// rounding.
//
// Words, 32-bit storage: high x, y, z; low x and y, 16 bits each; low z and the count, 16 bits each. 64-bit: high x, y,
// z; low x, y, z; last x and y, last z and the count, 16 bits each. With a thermostat one more: of v^2, in units of
// 2^-energyBits.
// Sums: x, y, z; the count in 16 bits, and above it v^2.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/math.hpp"

namespace mesowarp::mpcd {

KOKKOS_FORCEINLINE_FUNCTION float floorOf(float x) { return __builtin_floorf(x); }
KOKKOS_FORCEINLINE_FUNCTION double floorOf(double x) { return __builtin_floor(x); }
// The same as an integer that fits.
KOKKOS_FORCEINLINE_FUNCTION i32 integerBelow(float x) {
#ifdef __CUDA_ARCH__
  return __float2int_rd(x);
#else
  return static_cast<i32>(__builtin_floorf(x));
#endif
}
KOKKOS_FORCEINLINE_FUNCTION i32 integerBelow(double x) {
#ifdef __CUDA_ARCH__
  return __double2int_rd(x);
#else
  return static_cast<i32>(__builtin_floor(x));
#endif
}
// To the nearest integer, even ones at a tie.
KOKKOS_FORCEINLINE_FUNCTION i32 nearest(float x) {
#ifdef __CUDA_ARCH__
  return __float2int_rn(x);
#else
  return static_cast<i32>(__builtin_rintf(x));
#endif
}
KOKKOS_FORCEINLINE_FUNCTION i64 nearest(double x) {
#ifdef __CUDA_ARCH__
  return __double2ll_rn(x);
#else
  // Of two parts, each rounded by what a double has no room for: vectors of CPUs before AVX-512 have no instruction for
  // it, and GCC none for the newer ones.
  constexpr double rounds = 0x1.8p52;
  const double high = x * 0x1p-26 + rounds, low = (x - (high - rounds) * 0x1p26) + rounds;
  const auto integer = [](double r) { return static_cast<i64>(math::wordsOf(r) - math::wordsOf(0x1.8p52)); };
  return integer(high) * (i64{1} << 26) + integer(low);
#endif
}

struct SumScale {
  double speedLimit = 1.0;  // a power of two
  double toMain = 1.0, toLow = 1.0, toEnergy = 1.0;
  double unit = 1.0, energyUnit = 1.0;  // of a cell's sums
  double toLast = 1.0;                  // 64-bit storage
  int lowBits = 0, lastBits = 0, countBits = 7;
  int massBits = 0;  // 2^massBits: at least the heaviest species' mass, in those of the first

  // speed: what no particle reaches; density: particles of a cell.
  static SumScale of(double speed, double density, bool wide) {
    SumScale s;
    const int speedBits = static_cast<int>(std::ceil(std::log2(speed)));
    s.makeRoom(density);
    const int mainBits = 31 - s.countBits - speedBits, energyBits = 32 - s.countBits - 2 * speedBits;
    s.lowBits = (wide ? 32 : 16) - s.countBits;
    s.speedLimit = std::ldexp(1.0, speedBits);
    s.toMain = std::ldexp(1.0, mainBits), s.toLow = std::ldexp(1.0, s.lowBits);
    s.toEnergy = std::ldexp(1.0, energyBits);
    // Sums of last have 16 bits, those of all three together 64, with the sign.
    s.lastBits = wide ? std::min(s.countBits, 15 - s.countBits) : 0, s.toLast = std::ldexp(1.0, s.lastBits);
    s.unit = std::ldexp(1.0, -mainBits - s.lowBits - s.lastBits), s.energyUnit = 1.0 / s.toEnergy;
    return s;
  }
  void makeRoom(double density) {
    while (mostInCell() < density + 12.0 * std::sqrt(density) + 20.0) ++countBits;
  }
  KOKKOS_INLINE_FUNCTION int mostInCell() const { return (1 << countBits) - 1; }
  // Bits behind the point of sums over masses and places, or products of these with velocities in those of the limit
  // (angular/angular_sums.hpp).
  static constexpr int mostPlaceBits = 50;  // what sums of one mass have
  KOKKOS_INLINE_FUNCTION int placeBits() const {
    const int room = 62 - countBits - massBits;
    return room < mostPlaceBits ? room : mostPlaceBits;
  }
  KOKKOS_INLINE_FUNCTION int productBits() const { return 61 - countBits - massBits; }
};

// What a particle's kernel needs of it, in its own precision: powers of two, so nothing is rounded.
template <class Real>
struct SumScaleIn {
  Real speedLimit = 1, toMain = 1, toLow = 1, toEnergy = 1, toLast = 1;
  Real toPlace = 1, toProduct = 1;  // of places, and of velocities and places (angular/angular_sums.hpp)
  int lowBits = 0, lastBits = 0, countBits = 7;
  SumScaleIn() = default;
  SumScaleIn(const SumScale& s)
      : speedLimit(static_cast<Real>(s.speedLimit)), toMain(static_cast<Real>(s.toMain)),
        toLow(static_cast<Real>(s.toLow)), toEnergy(static_cast<Real>(s.toEnergy)), toLast(static_cast<Real>(s.toLast)),
        toPlace(static_cast<Real>(std::ldexp(1.0, s.placeBits()))),
        toProduct(static_cast<Real>(std::ldexp(1.0 / s.speedLimit, s.productBits()))), lowBits(s.lowBits),
        lastBits(s.lastBits), countBits(s.countBits) {}
};

struct CellSums;

// What a particle adds. Plain: what of it split() gives; apart: how many further sums there are.
template <bool Wide, bool Energy>
struct SumWords {
  using Cell = CellSums;
  using Plain = SumWords;
  static constexpr bool carries = false, mixed = false;
  static constexpr int apart = 0;
  static constexpr int words = (Wide ? 8 : 5) + (Energy ? 1 : 0), sums = 4;

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void split(const SumScaleIn<Real>& scale, const Real (&v)[3], Real squared,
                                                u32* word) {
    u32 low[3];  // or, of 64-bit storage, last
    for (int c = 0; c < 3; ++c) {
      const Real main = v[c] * scale.toMain;
      const i32 whole = integerBelow(main);
      word[c] = static_cast<u32>(whole);
      Real rest = (main - static_cast<Real>(whole)) * scale.toLow;
      if constexpr (Wide) {
        const Real middle = floorOf(rest);
        word[3 + c] = static_cast<u32>(static_cast<i32>(middle));
        rest = (rest - middle) * scale.toLast;
      }
      low[c] = static_cast<u32>(nearest(rest));
    }
    constexpr int behind = Wide ? 6 : 3;
    word[behind] = low[0] | low[1] << 16, word[behind + 1] = low[2] << 16 | 1;
    if constexpr (Energy) word[words - 1] = static_cast<u32>(nearest(squared * scale.toEnergy));
  }
  // False: nothing has been added to these.
  template <class Scale>
  KOKKOS_FORCEINLINE_FUNCTION static bool join(const Scale& scale, const u32* word, u64* sum) {
    constexpr int behind = Wide ? 6 : 3;
    const u64 low[3] = {word[behind] & 0xFFFFu, word[behind] >> 16, word[behind + 1] >> 16},
              count = word[behind + 1] & 0xFFFFu;
    for (int c = 0; c < 3; ++c) {
      u64 all = static_cast<u64>(static_cast<i64>(static_cast<i32>(word[c]))) << scale.lowBits;
      if constexpr (Wide) all = (all + word[3 + c]) << scale.lastBits;
      sum[c] = all + low[c];
    }
    sum[3] = count;
    if constexpr (Energy) sum[3] += static_cast<u64>(word[words - 1]) << 16;
    return count != 0;
  }
  // Words, of 32-bit storage, that join() gives these sums of.
  template <class Scale>
  KOKKOS_FORCEINLINE_FUNCTION static void part(const Scale& scale, const u64* sum, u32* word) {
    static_assert(!Wide);
    u32 low[3];
    for (int c = 0; c < 3; ++c) {
      word[c] = static_cast<u32>(sum[c] >> scale.lowBits);
      low[c] = static_cast<u32>(sum[c]) & ((u32{1} << scale.lowBits) - 1);
    }
    word[3] = low[0] | low[1] << 16, word[4] = low[2] << 16 | (static_cast<u32>(sum[3]) & 0xFFFFu);
    if constexpr (Energy) word[5] = static_cast<u32>(sum[3] >> 16);
  }
};

// Words of a window as sums; false: they are zero. Scale: SumScale, or SumScaleIn.
template <class Words, class Scale>
KOKKOS_FORCEINLINE_FUNCTION bool joinWords(const Scale& scale, const u32* word, u64* sum) {
  if constexpr (Words::carries)
    return Words::join(word, sum);
  else
    return Words::join(scale, word, sum);
}

template <class Words>
struct JoinWords {
  SumScale scale;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const u32* word, u64* sum) const { joinWords<Words>(scale, word, sum); }
};

// A sum, which may be negative.
KOKKOS_FORCEINLINE_FUNCTION double numberOf(u64 sum) { return static_cast<double>(static_cast<i64>(sum)); }

// A cell's sums as numbers. Masses are in those of a solvent particle (of its first species).
struct CellSums {
  static constexpr int number = 4;  // of sums
  int count;
  double mass;         // sum of m
  double velocity[3];  // sum of m v
  double squared;      // sum of m v^2, where it is summed
  KOKKOS_INLINE_FUNCTION CellSums(const SumScale& scale, const u64* sum)
      : count(static_cast<int>(sum[3] & 0xFFFFu)), mass(static_cast<double>(count)),
        squared(numberOf(sum[3] >> 16) * scale.energyUnit) {
    for (int c = 0; c < 3; ++c) velocity[c] = numberOf(sum[c]) * scale.unit;
  }
  CellSums(int particles, double ofMass, const double (&ofVelocity)[3], double ofSquares)
      : count(particles), mass(ofMass), velocity{ofVelocity[0], ofVelocity[1], ofVelocity[2]}, squared(ofSquares) {}

protected:
  KOKKOS_INLINE_FUNCTION explicit CellSums(const SumScale&) {}  // all is left to who knows the sums' form
};

}  // namespace mesowarp::mpcd
