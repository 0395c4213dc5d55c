// What one observed step sums over particles: everything the thermo table needs, in one reduction.
#pragma once

#include <utility>

#include "core/types.hpp"

namespace mesowarp {

// Order of tensor components: xx, yy, zz, xy, xz, yz.
struct ThermoSums {
  double kinetic[6] = {};   // sum of m v v, energy
  double virial[6] = {};    // sum over pairs of r f, energy
  double potential = 0.0;   // energy
  double momentum[3] = {};  // sum of m v

  KOKKOS_INLINE_FUNCTION ThermoSums& operator+=(const ThermoSums& other) {
    for (int c = 0; c < 6; ++c) kinetic[c] += other.kinetic[c], virial[c] += other.virial[c];
    for (int c = 0; c < 3; ++c) momentum[c] += other.momentum[c];
    potential += other.potential;
    return *this;
  }
  // sum(values, count) adds up over ranks.
  template <class Sum>
  void overRanks(const Sum& sum) {
    for (const auto& [values, count] : {std::pair{kinetic, 6}, {virial, 6}, {&potential, 1}, {momentum, 3}}) sum(values, count);
  }
};

// Force on one particle; when observed also half of its pairs' energy and virial.
template <class Real, bool Observe>
struct PairSum {
  Vec3<Real> force{};
};

template <class Real>
struct PairSum<Real, true> {
  Vec3<Real> force{};
  Real energy{};
  Real virial[6] = {};

  KOKKOS_INLINE_FUNCTION void addPair(const Vec3<Real>& r, const Vec3<Real>& f, Real pairEnergy) {
    energy += Real(0.5) * pairEnergy;
    virial[0] += Real(0.5) * r.x * f.x, virial[1] += Real(0.5) * r.y * f.y, virial[2] += Real(0.5) * r.z * f.z;
    virial[3] += Real(0.5) * r.x * f.y, virial[4] += Real(0.5) * r.x * f.z, virial[5] += Real(0.5) * r.y * f.z;
  }
  KOKKOS_INLINE_FUNCTION void addTo(ThermoSums& sums) const {
    sums.potential += static_cast<double>(energy);
    for (int c = 0; c < 6; ++c) sums.virial[c] += static_cast<double>(virial[c]);
  }
};

}  // namespace mesowarp
