// What one observed step sums over particles: everything the thermo table needs, in one reduction; and what one
// particle sums over its pairs.
#pragma once

#include <cmath>
#include <utility>

#include "core/accumulators.hpp"
#include "core/types.hpp"

namespace mesowarp {

// Order of tensor components: xx, yy, zz, xy, xz, yz.
struct ThermoSums {
  double kinetic[6] = {};   // sum of m v v, energy
  double virial[6] = {};    // sum over pairs of r f, energy
  double potential = 0.0;   // energy
  double momentum[3] = {};  // sum of m v
  double force[3] = {};     // sum of the forces of particles on each other
  i64 fixedForce[3] = {};   // the same where they are summed in fixed point, in units of theirs

  KOKKOS_INLINE_FUNCTION ThermoSums& operator+=(const ThermoSums& other) {
    for (int c = 0; c < 6; ++c) kinetic[c] += other.kinetic[c], virial[c] += other.virial[c];
    for (int c = 0; c < 3; ++c)
      momentum[c] += other.momentum[c], force[c] += other.force[c], fixedForce[c] += other.fixedForce[c];
    potential += other.potential;
    return *this;
  }
  template <class Total>
  KOKKOS_INLINE_FUNCTION void addForce(const Vec3<Total>& total) {
    for (int c = 0; c < 3; ++c) {
      if constexpr (std::is_same_v<decltype(Total::sum), i64>)
        fixedForce[c] = static_cast<i64>(static_cast<u64>(fixedForce[c]) + static_cast<u64>(total[c].sum));
      else
        force[c] += total[c].value();
    }
  }
  // sum(values, count) adds up over ranks, numbers and integers.
  template <class Sum>
  void overRanks(const Sum& sum) {
    for (const auto& [values, count] : {std::pair{kinetic, 6}, {virial, 6}, {&potential, 1}, {momentum, 3}, {force, 3}})
      sum(values, count);
    sum(fixedForce, 3);
  }
};

// What a particle adds to a step's sums, rounded to a multiple of a power of two: then the sums are exact, and neither
// the order of particles nor the number of threads or ranks can change them. Sums reach 2^14 times the number of
// particles, and the rounding is 2^-38 of that.
struct SumGrid {
  double magic = 0.0;  // 1.5 * 2^52 grid steps; 0: no rounding
  static SumGrid of(double particles) {
    return {std::ldexp(1.5, 14 + static_cast<int>(std::ceil(std::log2(particles + 1.0))))};
  }
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double x) const { return magic > 0.0 ? (x + magic) - magic : x; }
};

constexpr int forceChannels = 3, observedChannels = 10;  // force; energy, virial

// What a pair adds to the sums of one of its particles as products: put(channel, a, b).
template <bool Observe, class Real, class Put>
KOKKOS_FORCEINLINE_FUNCTION void putPair(Real forceOverR, Real energy, const Vec3<Real>& r, const Put& put) {
  put(0, forceOverR, r.x), put(1, forceOverR, r.y), put(2, forceOverR, r.z);
  if constexpr (Observe) {
    const Vec3<Real> f{forceOverR * r.x, forceOverR * r.y, forceOverR * r.z};
    put(3, energy, Real(1));
    put(4, r.x, f.x), put(5, r.y, f.y), put(6, r.z, f.z), put(7, r.x, f.y), put(8, r.x, f.z), put(9, r.y, f.z);
  }
}

// Channels of a pair's sums: behind those of the force there are `Own` of what else a force sums.
template <bool Observe, int Own>
constexpr int pairChannels = (Observe ? observedChannels : forceChannels) + Own;

// Sums of one particle's pairs; when observed also of their energy and virial, each of which both particles of a pair
// have. unit: value() of a total is multiplied by it.
template <class Total, bool Observe, int Own = 0>
struct PairTotals {
  Total channel[pairChannels<Observe, Own>];

  KOKKOS_FORCEINLINE_FUNCTION Vec3<Total> force() const { return {channel[0], channel[1], channel[2]}; }
  KOKKOS_FORCEINLINE_FUNCTION const Total* own() const { return channel + pairChannels<Observe, 0>; }
  KOKKOS_INLINE_FUNCTION void addTo(ThermoSums& sums, double unit, const SumGrid& grid) const {
    const double half = 0.5 * unit;
    sums.potential += grid(half * channel[3].value());
    for (int c = 0; c < 6; ++c) sums.virial[c] += grid(half * channel[4 + c].value());
  }
  // The particle's half of its pairs' virials, to six numbers that are its own.
  KOKKOS_INLINE_FUNCTION void addVirialTo(double* own, double unit) const {
    for (int c = 0; c < 6; ++c) own[c] += 0.5 * unit * channel[4 + c].value();
  }
};

template <class Sum, bool Observe, int Own = 0>
struct PairSum {
  using Total = typename Sum::Total;
  static constexpr int channels = pairChannels<Observe, Own>;
  Sum channel[channels];

  template <class Real>
  struct Put {
    PairSum& sum;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int c, Real a, Real b) const { sum.channel[c].add(a, b); }
  };
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void add(Real forceOverR, Real energy, const Vec3<Real>& r) {
    putPair<Observe>(forceOverR, energy, r, Put<Real>{*this});
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void addOwn(const Real* own) {
    for (int s = 0; s < Own; ++s) channel[pairChannels<Observe, 0> + s].add(own[s], Real(1));
  }
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {
    for (int c = 0; c < channels; ++c) channel[c].endTile();
  }
  KOKKOS_FORCEINLINE_FUNCTION PairTotals<Total, Observe, Own> totals() const {
    PairTotals<Total, Observe, Own> all;
    for (int c = 0; c < channels; ++c) all.channel[c] = channel[c].total(0);
    return all;
  }
};

}  // namespace mesowarp
