// Bonds between pairs of tags, each particle summing its own (no atomics).
//   harmonic (DPD paper, section 4.4): F = k (r - r0), towards the partner; U = k/2 (r - r0)^2
//   FENE: U = -k/2 r_max^2 ln(1 - (r/r_max)^2); combine with a WCA pair force for excluded volume
#pragma once

#include <cmath>

#include "backend/pair_state.hpp"
#include "core/math.hpp"
#include "core/particles.hpp"
#include "core/step_context.hpp"
#include "core/sums.hpp"

namespace mesowarp {

enum class BondKind : int { harmonic = 0, fene = 1 };

template <class Real>
struct BondCoefficients {
  BondKind kind = BondKind::harmonic;
  Real k = 0, r0 = 0, rMax = 0;
};

template <class Real>
KOKKOS_INLINE_FUNCTION PairTerm<Real> bondTerm(const BondCoefficients<Real>& c, Real distance2, bool& broken) {
  if (c.kind == BondKind::harmonic) {
    const Real r = math::squareRoot(math::larger(distance2, Real(1e-24)));
    const Real stretch = r - c.r0;
    return {-c.k * stretch / r, Real(0.5) * c.k * stretch * stretch};
  }
  const Real ratio = distance2 / (c.rMax * c.rMax);
  broken = !(ratio < Real(1));
  if (broken) return {Real(0), Real(0)};
  const Real left = Real(1) - ratio;
  return {-c.k / left, Real(-0.5) * c.k * c.rMax * c.rMax * Real(::log(static_cast<double>(left)))};
}

// Writes (not adds) each particle's bond force.
template <class P>
struct BondKernel {
  using Real = typename P::Real;
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<u32> tag, partner;
  DeviceArray<i32> type;
  DeviceArray<int> indexOfTag;
  DeviceArray<BondCoefficients<Real>> coefficients;
  DeviceArray<Vec3<Real>> force;
  Ticks<Real> tick;
  int width;
  i64 step;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;

  template <bool Observe>
  KOKKOS_INLINE_FUNCTION PairSum<Real, Observe> sum(int i) const {
    PairSum<Real, Observe> result;
    const auto here = position(i);
    for (int b = 0; b < width; ++b) {
      const std::size_t slot = static_cast<std::size_t>(i) * width + b;
      if (partner(slot) == noBond) continue;
      const int other = indexOfTag(partner(slot));
      if (other < 0) {  // neither here nor a ghost
        raise(errors, StepFlags::partnerMissing, step, tag(i));
        continue;
      }
      const Vec3<Real> r = backend::separation<Real>(here, position(other), tick);
      bool broken = false;
      const auto term = bondTerm(coefficients(type(slot)), r.x * r.x + r.y * r.y + r.z * r.z, broken);
      if (broken) raise(errors, StepFlags::bondBroken, step, tag(i));
      const Vec3<Real> f{term.forceOverR * r.x, term.forceOverR * r.y, term.forceOverR * r.z};
      result.force.x += f.x, result.force.y += f.y, result.force.z += f.z;
      if constexpr (Observe) result.addPair(r, f, term.energy);
    }
    force(i) = result.force;
    return result;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { sum<false>(i); }
  KOKKOS_INLINE_FUNCTION void operator()(int i, ThermoSums& sums) const { sum<true>(i).addTo(sums); }
};

}  // namespace mesowarp
