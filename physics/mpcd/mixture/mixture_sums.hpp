// A cell's sums where solvent particles differ in mass: of m v, of m, of m v^2 and of ones, as integers of 64 bits.
// Masses are in those of the first species, and multiples of 2^-40, so their sums are exact. With at most
// mostInCell() particles of the heaviest species, none faster than the limit, none of the sums overflows.
#pragma once

#include <cmath>

#include "kernels/bricks/halved_sums.hpp"
#include "physics/mpcd/sum_words.hpp"

namespace mesowarp::mpcd {

struct MixtureSums : CellSums {
  static constexpr int number = 6;
  static constexpr double massUnit = 0x1p-40;
  KOKKOS_INLINE_FUNCTION MixtureSums(const SumScale& scale, const u64* sum) : CellSums(scale) {
    count = static_cast<int>(sum[3]), mass = numberOf(sum[4]) * massUnit;
    for (int c = 0; c < 3; ++c) velocity[c] = numberOf(sum[c]) * scale.unit;
    squared = numberOf(sum[5]) * scale.energyUnit;
  }
};

struct MixtureWords : HalvedSums<6> {
  using Cell = MixtureSums;
  static constexpr bool mixed = true;
  static constexpr int apart = 0;

  // v: what is summed; squared: v^2 of the velocity.
  template <class Scale>
  KOKKOS_FORCEINLINE_FUNCTION static void put(const Scale& scale, double mass, const double (&v)[3], double squared,
                                              u64* sum) {
    for (int c = 0; c < 3; ++c) sum[c] = static_cast<u64>(nearest(mass * v[c] * static_cast<double>(scale.toMain)));
    sum[3] = 1, sum[4] = static_cast<u64>(nearest(mass * (1.0 / MixtureSums::massUnit)));
    sum[5] = static_cast<u64>(nearest(mass * squared * static_cast<double>(scale.toEnergy)));
  }
};

// Bits behind the point that a cell's sums of momenta have, in units of the first species.
inline int mixtureMomentumBits(double speed, int countBits, double heaviest) {
  return 62 - countBits - static_cast<int>(std::ceil(std::log2(heaviest))) -
         static_cast<int>(std::ceil(std::log2(speed)));
}

// heaviest: of a particle.
inline SumScale mixtureScale(double speed, double density, double heaviest) {
  SumScale s;
  s.makeRoom(density);
  const int speedBits = static_cast<int>(std::ceil(std::log2(speed)));
  const int bits = mixtureMomentumBits(speed, s.countBits, heaviest);
  s.massBits = static_cast<int>(std::ceil(std::log2(heaviest)));
  s.speedLimit = std::ldexp(1.0, speedBits);
  s.toMain = std::ldexp(1.0, bits), s.unit = std::ldexp(1.0, -bits);
  s.toEnergy = std::ldexp(1.0, bits - speedBits), s.energyUnit = std::ldexp(1.0, speedBits - bits);
  return s;
}

}  // namespace mesowarp::mpcd
