// What others than the solvent's particles add to a collision cell: a second array of integer sums, which the kernel of
// the cells' records adds to the solvent's. Masses are in those of a solvent particle.
//
// Of a particle of mass m and velocity v a cell sums m v, m, m v^2 and 1, as 64-bit integers, so no order can matter;
// where angular momentum is kept, of its place r in the cell m r, m r r and m r v, too.
// With at most massLimit in a cell, and nothing faster than speedLimit, none overflows: both are powers of two, and
// checked. Masses keep 5 bits in reserve, so that what is too heavy is seen.
#pragma once

#include <cmath>

#include "core/types.hpp"
#include "physics/mpcd/angular/angular_sums.hpp"
#include "physics/mpcd/sharing/shared_cells.hpp"
#include "physics/mpcd/sum_words.hpp"

namespace mesowarp::mpcd {

struct GuestScale {
  double massLimit = 1.0, speedLimit = 1.0;
  double toMomentum = 1.0, toMass = 1.0, toEnergy = 1.0;
  static GuestScale of(int massBits, int speedBits) {
    return {std::ldexp(1.0, massBits), std::ldexp(1.0, speedBits), std::ldexp(1.0, 62 - massBits - speedBits),
            std::ldexp(1.0, 58 - massBits), std::ldexp(1.0, 62 - massBits - 2 * speedBits)};
  }
};

template <bool Angular>
struct GuestSumsOf {
  static constexpr int first = 6;  // m v x, y, z; m; m v^2; number
  static constexpr int sums = Angular ? first + LeverSums::places + 9 : first;
  using Row = WholeRow<sums>;
  u64* sum = nullptr;  // [cells * sums]; null: there are no others
  GuestScale scale{};

  // A particle adds itself. Any number of threads.
  KOKKOS_INLINE_FUNCTION void add(int cell, double mass, const double (&v)[3], double squared,
                                  const double (&r)[3]) const {
    u64* const to = sum + static_cast<std::size_t>(cell) * sums;
    for (int c = 0; c < 3; ++c) put(to + c, nearest(mass * v[c] * scale.toMomentum));
    if constexpr (Angular) {
      u64 further[sums - first];
      LeverSums::ofPlaces(mass * scale.toMass, r, further);
      LeverSums::ofProducts<9>(mass * scale.toMomentum, r, v, further + LeverSums::places);
      for (int k = 0; k < sums - first; ++k) put(to + first + k, static_cast<i64>(further[k]));
    }
    put(to + 3, nearest(mass * scale.toMass));
    put(to + 4, nearest(mass * squared * scale.toEnergy));
    put(to + 5, 1);
  }
  // With what comes of neighbours, to the solvent's sums of the cell; zero behind it. False: they are too heavy.
  template <class Of, class Cell>
  KOKKOS_INLINE_FUNCTION bool addTo(Of& of, const Cell& cell, const SharedCells& shared = {},
                                    const ComeSums<Row>& come = {}) const {
    u64* const own = sum + static_cast<std::size_t>(cell) * sums;
    u64 all[sums];
    for (int k = 0; k < sums; ++k) all[k] = own[k];
    if (own[5] != 0)
      for (int k = 0; k < sums; ++k) own[k] = 0;
    come.addTo(shared, cell, all);
    if (all[5] == 0) return true;
    double number[5];
    for (int k = 0; k < 5; ++k) number[k] = numberOf(all[k]);
    of.count += static_cast<int>(all[5]);
    const double mass = number[3] / scale.toMass;
    of.mass += mass;
    for (int c = 0; c < 3; ++c) of.velocity[c] += number[c] / scale.toMomentum;
    of.squared += number[4] / scale.toEnergy;
    if constexpr (Angular) {
      double places[LeverSums::places], ofVelocities[9];
      for (int k = 0; k < LeverSums::places; ++k) places[k] = numberOf(all[first + k]) / scale.toMass;
      for (int k = 0; k < 9; ++k) ofVelocities[k] = numberOf(all[first + LeverSums::places + k]) / scale.toMomentum;
      of.add(places, ofVelocities);
    }
    return mass <= scale.massLimit;
  }

private:
  KOKKOS_INLINE_FUNCTION static void put(u64* to, i64 value) {
    if (value != 0) Kokkos::atomic_add(to, static_cast<u64>(value));
  }
};

}  // namespace mesowarp::mpcd
