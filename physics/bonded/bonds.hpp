// Bonds between pairs of tags, each particle summing its own (no atomics).
//   harmonic (DPD paper, section 4.4): F = k (r - r0), towards the partner; U = k/2 (r - r0)^2
//   FENE: U = -k/2 r_max^2 ln(1 - (r/r_max)^2); combine with a WCA pair force for excluded volume
#pragma once

#include "core/math.hpp"
#include "core/portable_math.hpp"
#include "core/sums.hpp"
#include "kernels/pairs/sheared_separation.hpp"
#include "kernels/pairs/step_context.hpp"
#include "state/particles.hpp"
#include "state/tag_lookup.hpp"

namespace mesowarp {

enum class BondKind : int { harmonic = 0, fene = 1 };

template <class Real>
struct BondCoefficients {
  BondKind kind = BondKind::harmonic;
  Real k = 0, r0 = 0;
  Real rMax2 = 0, inverseRMax2 = 0;  // of FENE
};

template <class Math, class Real>
KOKKOS_INLINE_FUNCTION PairTerm<Real> bondTerm(const BondCoefficients<Real>& c, Real distance2, bool& broken) {
  if (c.kind == BondKind::harmonic) {
    const Real inverseR = Math::inverseSquareRoot(math::larger(distance2, Real(1e-24)));
    const Real stretch = math::fusedMultiplyAdd(distance2, inverseR, -c.r0);
    return {-c.k * stretch * inverseR, Real(0.5) * c.k * stretch * stretch};
  }
  const Real ratio = distance2 * c.inverseRMax2;
  broken = !(ratio < Real(1));
  if (broken) return {Real(0), Real(0)};
  const Real left = Real(1) - ratio;
  return {Math::quotient(-c.k, left),
          Real(-0.5) * c.k * c.rMax2 * Real(math::logUnit<Math>(static_cast<double>(left)))};
}

// What bonds read of a step.
template <class P>
struct BondState {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<u32> tag, partner;
  DeviceArray<i32> type;
  TagLookup indexOfTag;
  Ticks<typename P::Real> tick;
  ShearFaces<typename P::Coord> faces;
  int width;
  StepGuard guard;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;
};

// Writes (not adds) each particle's totals of bond forces.
template <class P, class Sum, class Math>
struct BondKernel {
  using Real = typename P::Real;
  using Total = typename Sum::Total;
  BondState<P> state;
  DeviceArray<BondCoefficients<Real>> coefficients;
  DeviceArray<Vec3<Total>> force;
  double unit;  // of a total
  SumGrid grid;
  double* virial;  // six numbers a particle, of observed steps; null: nobody asks

  template <bool Observe>
  KOKKOS_INLINE_FUNCTION PairTotals<Total, Observe> sum(int i) const {
    PairSum<Sum, Observe> sum;
    const auto here = state.position(i);
    for (int b = 0; b < state.width; ++b) {
      const std::size_t slot = static_cast<std::size_t>(i) * state.width + b;
      if (state.partner(slot) == noBond) continue;
      const int other = state.indexOfTag(state.partner(slot));
      if (other < 0) {  // neither here nor a ghost
        raise(state.errors, StepFlags::partnerMissing, state.guard.step, state.tag(i));
        continue;
      }
      const Vec3<Real> r = separation<Real>(here, state.position(other), state.tick, state.faces);
      bool broken = false;
      const auto term = bondTerm<Math>(coefficients(state.type(slot)), dot(r, r, Real(0)), broken);
      if (broken) raise(state.errors, StepFlags::bondBroken, state.guard.step, state.tag(i));
      sum.add(term.forceOverR, term.energy, r);
    }
    sum.endTile();
    const auto totals = sum.totals();
    force(i) = totals.force();
    return totals;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (backend::onGpu && state.guard.stops()) return;
    sum<false>(i);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, ThermoSums& sums) const {
    const auto totals = sum<true>(i);
    totals.addTo(sums, unit, grid);
    if (virial != nullptr) totals.addVirialTo(virial + 6 * static_cast<std::size_t>(i), unit);
  }
};

}  // namespace mesowarp
