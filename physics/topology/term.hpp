// A term of several particles in a row along bonds (an angle, a dihedral), and how each of them gathers its own part.
//
// Each particle knows the terms that it is a member of: the tags of the others in the term's order, its type, and its
// own place among them (its role). It computes the whole term, from differences of fixed-point positions, which are the
// same numbers for all members, and adds its own share. A term's forces are a few vectors, of which members get some
// and others the opposite: so they add up to zero, in fixed point exactly. Energy and virial (sum of arms times
// vectors) are shared out equally.
#pragma once

#include "core/images.hpp"
#include "core/portable_math.hpp"
#include "core/sums.hpp"
#include "kernels/pairs/sheared_separation.hpp"
#include "kernels/pairs/step_context.hpp"
#include "physics/topology/angle_math.hpp"
#include "state/tag_lookup.hpp"

namespace mesowarp {

template <class Real, int Parts>
struct TermForces {
  Vec3<Real> part[Parts];
  Vec3<Real> arm[Parts];  // the virial is the sum over parts of arm x part
  Real energy;
};

// What terms read of a step.
template <class P>
struct TermState {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<u32> tag;
  DeviceArray<u32> partner;  // of each particle `width` times the other members' tags; noBond: an empty slot
  DeviceArray<i32> type;     // of each slot, number of the coefficients times members, plus role
  TagLookup indexOfTag;
  Ticks<typename P::Real> tick;
  ShearFaces<typename P::Coord> faces;
  int width;
  StepGuard guard;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;
};

// Adds each particle's totals to `force`. Term: AngleTerm, DihedralTerm.
template <class P_, class Sum_, class Term>
struct TermKernel {
  using P = P_;
  using Sum = Sum_;
  using Real = typename P::Real;
  using Total = typename Sum::Total;
  static constexpr int members = Term::members, arms = Term::arms, results = 3 * Term::parts;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int arm(int a, int end) { return Term::arm(a, end); }
  static constexpr int mostInTile = mostTerms / (2 * Term::parts);
  TermState<P> state;
  DeviceArray<typename Term::template Coefficients<Real>> coefficients;
  DeviceArray<Vec3<Total>> force;
  double unit;  // of a total
  SumGrid grid;
  double* virial;  // six numbers a particle, of observed steps; null: nobody asks

  // The members of a slot's term, its type and the place of particle i among them. False: the slot is empty, or one of
  // them is neither here nor a ghost.
  KOKKOS_INLINE_FUNCTION bool find(int i, int slot, int* index, int& type, int& role) const {
    const std::size_t at = static_cast<std::size_t>(i) * state.width + slot;
    constexpr int others = members - 1;
    if (state.partner(at * others) == noBond) return false;
    const u32 coded = static_cast<u32>(state.type(at));
    type = static_cast<int>(coded / members), role = static_cast<int>(coded % members);
    int other[others];
    bool found = true;
    for (int k = 0; k < others; ++k) {
      other[k] = state.indexOfTag(state.partner(at * others + k));
      found = found && other[k] >= 0;
    }
    // Without branches: a particle is now this one, now that one of its terms.
    for (int m = 0; m < members; ++m) {
      const int before = other[m < others ? m : 0], behind = other[m > 0 ? m - 1 : 0];
      index[m] = m < role ? before : m > role ? behind : i;
    }
    if (!found) raise(state.errors, Term::missing, state.guard.step, state.tag(i));
    return found;
  }

  template <bool Observe>
  KOKKOS_INLINE_FUNCTION PairTotals<Total, Observe> sum(int i) const {
    PairSum<Sum, Observe> sum;
    for (int slot = 0; slot < state.width; ++slot) {
      int index[members], type = 0, role = 0;
      if (!find(i, slot, index, type, role)) continue;
      Vec3<Real> way[arms];
      for (int a = 0; a < arms; ++a)
        way[a] = separation<Real>(state.position(index[arm(a, 0)]), state.position(index[arm(a, 1)]), state.tick,
                                  state.faces);
      const TermForces<Real, Term::parts> term = Term::evaluate(coefficients(type), way);
      addForces(sum, role, [&](int part, int axis) { return term.part[part][axis]; });
      if constexpr (Observe) addShares(sum, term);
      endTile(sum, slot);
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

  // The same in vectors of terms (kernels/terms/term_blocks_cpu.hpp).
  template <class V>
  typename Term::template Coefficients<V> of(int type) const {
    return coefficients(type).template as<V>();
  }
  template <class V>
  static void evaluate(const typename Term::template Coefficients<V>& c, const Vec3<V>* way, V* result) {
    const TermForces<V, Term::parts> term = Term::evaluate(c, way);
    for (int p = 0; p < Term::parts; ++p)
      result[3 * p] = term.part[p].x, result[3 * p + 1] = term.part[p].y, result[3 * p + 2] = term.part[p].z;
  }
  template <class Result>
  void add(PairSum<Sum, false>& sum, int, int slot, int, int role, const Result& result) const {
    addForces(sum, role, [&](int part, int axis) { return result(3 * part + axis); });
    endTile(sum, slot);
  }
  template <bool Observe>
  KOKKOS_INLINE_FUNCTION PairTotals<Total, Observe> close(int i, PairSum<Sum, Observe>& sum) const {
    sum.endTile();
    const auto totals = sum.totals();
    for (int c = 0; c < 3; ++c) force(i)[c].merge(totals.channel[c]);
    return totals;
  }

private:
  template <bool Observe, class Part>
  KOKKOS_FORCEINLINE_FUNCTION static void addForces(PairSum<Sum, Observe>& sum, int role, const Part& part) {
    for (int p = 0; p < Term::parts; ++p) {
      const int sign = Term::sign(role, p);
      if (sign == 0) continue;
      for (int c = 0; c < 3; ++c) sum.channel[c].add(part(p, c), Real(sign));
    }
  }
  // PairTotals halves energies and virials.
  KOKKOS_INLINE_FUNCTION static void addShares(PairSum<Sum, true>& sum, const TermForces<Real, Term::parts>& term) {
    constexpr Real share = Real(2) / Real(members);
    sum.channel[3].add(term.energy, share);
    for (int p = 0; p < Term::parts; ++p) {
      const Vec3<Real>&f = term.part[p], r = math::times(share, term.arm[p]);
      sum.channel[4].add(r.x, f.x), sum.channel[5].add(r.y, f.y), sum.channel[6].add(r.z, f.z);
      sum.channel[7].add(r.x, f.y), sum.channel[8].add(r.x, f.z), sum.channel[9].add(r.y, f.z);
    }
  }
  template <bool Observe>
  KOKKOS_FORCEINLINE_FUNCTION static void endTile(PairSum<Sum, Observe>& sum, int slot) {
    if (slot % mostInTile == mostInTile - 1) sum.endTile();
  }
};

}  // namespace mesowarp
