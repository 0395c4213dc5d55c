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
  template <class V>
  BondCoefficients<V> as() const {
    return {kind, V(k), V(r0), V(rMax2), V(inverseRMax2)};
  }
};

// Of a harmonic bond: 1 / r, and r - r0.
template <class V>
struct BondStretch {
  V inverseR, by;
};
template <class Math, class V>
KOKKOS_FORCEINLINE_FUNCTION BondStretch<V> stretchOf(const BondCoefficients<V>& c, V distance2) {
  using math::larger, math::fusedMultiplyAdd;
  const V inverseR = Math::inverseSquareRoot(larger(distance2, V(1e-24)));
  return {inverseR, fusedMultiplyAdd(distance2, inverseR, -c.r0)};
}
// F / r, of the way from the partner. V: a number, or a CPU's vector of them. A broken bond (isBroken()) pulls no more.
template <class Math, class V>
KOKKOS_FORCEINLINE_FUNCTION V bondForce(const BondCoefficients<V>& c, V distance2) {
  using math::select;
  if (c.kind == BondKind::harmonic) {
    const BondStretch<V> stretch = stretchOf<Math>(c, distance2);
    return -c.k * stretch.by * stretch.inverseR;
  }
  const V ratio = distance2 * c.inverseRMax2;
  return select(ratio < V(1), Math::quotient(-c.k, V(1) - ratio), V(0));
}
template <class Real>
KOKKOS_INLINE_FUNCTION bool isBroken(const BondCoefficients<Real>& c, Real distance2) {
  return c.kind == BondKind::fene && !(distance2 * c.inverseRMax2 < Real(1));
}
template <class Math, class Real>
KOKKOS_INLINE_FUNCTION Real bondEnergy(const BondCoefficients<Real>& c, Real distance2) {
  if (isBroken(c, distance2)) return Real(0);
  if (c.kind == BondKind::harmonic) {
    const Real stretch = stretchOf<Math>(c, distance2).by;
    return Real(0.5) * c.k * stretch * stretch;
  }
  const Real left = Real(1) - distance2 * c.inverseRMax2;
  return Real(-0.5) * c.k * c.rMax2 * Real(math::logUnit<Math>(static_cast<double>(left)));
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
template <class P_, class Sum_, class Math>
struct BondKernel {
  using P = P_;
  using Sum = Sum_;
  using Real = typename P::Real;
  using Total = typename Sum::Total;
  static constexpr int members = 2, arms = 1, results = 4;
  static constexpr int arm(int, int end) { return end; }
  BondState<P> state;
  DeviceArray<BondCoefficients<Real>> coefficients;
  DeviceArray<Vec3<Total>> force;
  double unit;  // of a total
  SumGrid grid;
  double* virial;  // six numbers a particle, of observed steps; null: nobody asks

  // Particle i and its partner of a slot. False: the slot is empty, or the partner is neither here nor a ghost.
  KOKKOS_INLINE_FUNCTION bool find(int i, int slot, int* index, int& type, int&) const {
    const std::size_t at = static_cast<std::size_t>(i) * state.width + slot;
    if (state.partner(at) == noBond) return false;
    index[0] = i, index[1] = state.indexOfTag(state.partner(at));
    type = state.type(at);
    if (index[1] < 0) raise(state.errors, StepFlags::partnerMissing, state.guard.step, state.tag(i));
    return index[1] >= 0;
  }

  template <bool Observe>
  KOKKOS_INLINE_FUNCTION PairTotals<Total, Observe> sum(int i) const {
    PairSum<Sum, Observe> sum;
    const auto here = state.position(i);
    for (int slot = 0; slot < state.width; ++slot) {
      int index[members], type = 0, role = 0;
      if (!find(i, slot, index, type, role)) continue;
      const Vec3<Real> r = separation<Real>(here, state.position(index[1]), state.tick, state.faces);
      const Real distance2 = dot(r, r, Real(0));
      const BondCoefficients<Real> c = coefficients(type);
      if (isBroken(c, distance2)) raise(state.errors, StepFlags::bondBroken, state.guard.step, state.tag(i));
      Real energy = 0;
      if constexpr (Observe) energy = bondEnergy<Math>(c, distance2);
      sum.add(bondForce<Math>(c, distance2), energy, r);
    }
    return close(i, sum);
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

  // The same in vectors of bonds (kernels/terms/term_blocks_cpu.hpp): F / r and r.
  template <class V>
  BondCoefficients<V> of(int type) const {
    return coefficients(type).template as<V>();
  }
  template <class V>
  static void evaluate(const BondCoefficients<V>& c, const Vec3<V>* way, V* result) {
    result[0] = bondForce<Math>(c, dot(way[0], way[0], V(0)));
    result[1] = way[0].x, result[2] = way[0].y, result[3] = way[0].z;
  }
  template <class Result>
  void add(PairSum<Sum, false>& sum, int i, int, int type, int, const Result& result) const {
    const Real forceOverR = result(0);
    const Vec3<Real> r{result(1), result(2), result(3)};
    if (forceOverR == Real(0) && isBroken(coefficients(type), dot(r, r, Real(0))))
      raise(state.errors, StepFlags::bondBroken, state.guard.step, state.tag(i));
    sum.add(forceOverR, Real(0), r);
  }
  template <bool Observe>
  KOKKOS_INLINE_FUNCTION PairTotals<Total, Observe> close(int i, PairSum<Sum, Observe>& sum) const {
    sum.endTile();
    const auto totals = sum.totals();
    force(i) = totals.force();
    return totals;
  }
};

}  // namespace mesowarp
