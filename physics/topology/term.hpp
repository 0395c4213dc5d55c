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
template <class P, class Sum, class Term>
struct TermKernel {
  using Real = typename P::Real;
  using Total = typename Sum::Total;
  static constexpr int others = Term::members - 1;
  static constexpr int mostInTile = mostTerms / (2 * Term::parts);
  TermState<P> state;
  DeviceArray<typename Term::Coefficients> coefficients;
  DeviceArray<Vec3<Total>> force;
  double unit;  // of a total
  SumGrid grid;
  double* virial;  // six numbers a particle, of observed steps; null: nobody asks

  struct From {
    PairPosition<typename P::Coord> at[Term::members];
    Ticks<Real> tick;
    ShearFaces<typename P::Coord> faces;
    KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> operator()(int m, int l) const {
      return separation<Real>(at[m], at[l], tick, faces);
    }
  };

  // The members' positions; false: one is neither here nor a ghost.
  KOKKOS_INLINE_FUNCTION bool find(int i, std::size_t slot, int role, From& from) const {
    bool found = true;
    for (int m = 0, k = 0; m < Term::members; ++m) {
      const int at = m == role ? i : state.indexOfTag(state.partner(slot * others + k));
      if (m != role) ++k;
      found = found && at >= 0;
      from.at[m] = state.position(at >= 0 ? at : i);
    }
    return found;
  }

  template <bool Observe>
  KOKKOS_INLINE_FUNCTION PairTotals<Total, Observe> sum(int i) const {
    PairSum<Sum, Observe> sum;
    From from;
    from.tick = state.tick, from.faces = state.faces;
    for (int t = 0; t < state.width; ++t) {
      const std::size_t slot = static_cast<std::size_t>(i) * state.width + t;
      if (state.partner(slot * others) == noBond) continue;
      const int type = state.type(slot) / Term::members, role = state.type(slot) % Term::members;
      if (!find(i, slot, role, from)) {
        raise(state.errors, Term::missing, state.guard.step, state.tag(i));
        continue;
      }
      add(sum, role, Term::evaluate(coefficients(type), from));
      if (t % mostInTile == mostInTile - 1) sum.endTile();
    }
    sum.endTile();
    const auto totals = sum.totals();
    for (int c = 0; c < 3; ++c) force(i)[c].merge(totals.channel[c]);
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

private:
  // PairTotals halves energies and virials.
  template <bool Observe>
  KOKKOS_INLINE_FUNCTION static void add(PairSum<Sum, Observe>& sum, int role,
                                         const TermForces<Real, Term::parts>& term) {
    for (int p = 0; p < Term::parts; ++p) {
      const int sign = Term::sign(role, p);
      if (sign == 0) continue;
      for (int c = 0; c < 3; ++c) sum.channel[c].add(term.part[p][c], Real(sign));
    }
    if constexpr (Observe) {
      constexpr Real share = Real(2) / Real(Term::members);
      sum.channel[3].add(term.energy, share);
      for (int p = 0; p < Term::parts; ++p) {
        const Vec3<Real>&f = term.part[p], r = math::times(share, term.arm[p]);
        sum.channel[4].add(r.x, f.x), sum.channel[5].add(r.y, f.y), sum.channel[6].add(r.z, f.z);
        sum.channel[7].add(r.x, f.y), sum.channel[8].add(r.x, f.z), sum.channel[9].add(r.y, f.z);
      }
    }
  }
};

}  // namespace mesowarp
