// What changes the concentrations of a particle beside fluxes, as kernels see it: sources by region and by species of
// particles, dC/dt = a + b C, and reactions by mass action. Tables in device memory; few and short.
#pragma once

#include "core/math.hpp"
#include "core/types.hpp"
#include "device/config.hpp"
#include "physics/transport/deck/transport_deck.hpp"

namespace mesowarp::transport {

// A region of the box; distances are to the nearest image.
struct RegionTest {
  Shape shape = Shape::everywhere;
  int axis = 2;
  double low[3] = {}, high[3] = {};  // box
  double center[3] = {}, radius2 = 0.0;
  double period[3] = {}, inversePeriod[3] = {};  // 0: there is none

  KOKKOS_INLINE_FUNCTION bool holds(const double* x) const {
    if (shape == Shape::everywhere) return true;
    if (shape == Shape::box) {
      for (int c = 0; c < 3; ++c)
        if (!(x[c] >= low[c] && x[c] < high[c])) return false;
      return true;
    }
    double distance2 = 0.0;
    for (int c = 0; c < 3; ++c) {
      if (shape == Shape::cylinder && c == axis) continue;
      double d = x[c] - center[c];
      d -= period[c] * ::floor(d * inversePeriod[c] + 0.5);
      distance2 += d * d;
    }
    return distance2 < radius2;
  }
};

template <class Real>
struct SourceTerm {
  int solute = 0, species = -1;  // of particles; -1: all
  Real rate = 0, linear = 0;
  RegionTest region;
};

template <class Real>
struct ReactionTerm {
  static constexpr int most = 6;  // solutes on either side
  Real rate = 0;
  int reactants = 0, changes = 0;
  int reactant[most] = {}, order[most] = {};
  int changed[most] = {};
  Real by[most] = {};
};

template <class Real>
struct SourceTable {
  DeviceArray<SourceTerm<Real>> source;
  DeviceArray<ReactionTerm<Real>> reaction;
  int sources = 0, reactions = 0;

  KOKKOS_INLINE_FUNCTION bool any() const { return sources + reactions > 0; }

  // The sources that act on a particle, a bit for each.
  KOKKOS_INLINE_FUNCTION u64 actingAt(const double* x, int species) const {
    u64 acting = 0;
    for (int k = 0; k < sources; ++k) {
      const auto& s = source(k);
      if ((s.species < 0 || s.species == species) && s.region.holds(x)) acting |= u64{1} << k;
    }
    return acting;
  }
  // The rate of each reaction at these concentrations; what is below zero does not react.
  KOKKOS_INLINE_FUNCTION void ratesAt(const Real* concentration, Real* rate) const {
    for (int m = 0; m < reactions; ++m) {
      const auto& r = reaction(m);
      Real product = r.rate;
      for (int t = 0; t < r.reactants; ++t) {
        const Real c = concentration[r.reactant[t]], positive = c > Real(0) ? c : Real(0);
        for (int n = 0; n < r.order[t]; ++n) product *= positive;
      }
      rate[m] = product;
    }
  }
  // dC/dt of a solute, whose concentration is c.
  KOKKOS_INLINE_FUNCTION Real change(int solute, Real c, u64 acting, const Real* rate) const {
    Real sum = 0;
    for (int k = 0; k < sources; ++k)
      if ((acting >> k & 1) != 0 && source(k).solute == solute)
        sum += math::fusedMultiplyAdd(source(k).linear, c, source(k).rate);
    for (int m = 0; m < reactions; ++m) {
      const auto& r = reaction(m);
      for (int t = 0; t < r.changes; ++t)
        if (r.changed[t] == solute) sum = math::fusedMultiplyAdd(r.by[t], rate[m], sum);
    }
    return sum;
  }
};

// Of a deck.
template <class Real>
SourceTable<Real> sourceTable(const input::Deck& deck);
// The rates of another deck, that differs in nothing else, into a table that there is.
template <class Real>
void followRates(const SourceTable<Real>& table, const input::Deck& now);
RegionTest regionTest(const FilledRegion& region, const input::Deck& deck);

extern template SourceTable<float> sourceTable<float>(const input::Deck&);
extern template SourceTable<double> sourceTable<double>(const input::Deck&);
extern template void followRates<float>(const SourceTable<float>&, const input::Deck&);
extern template void followRates<double>(const SourceTable<double>&, const input::Deck&);

}  // namespace mesowarp::transport
