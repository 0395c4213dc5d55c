// Many-body dissipative particle dynamics (Warren, Phys. Rev. E 68, 066702 (2003)): a repulsion that grows with the
// density around both particles. Beside an attraction, DPD's own with a < 0, a fluid has a vapour, a free surface and a
// surface tension.
//
//   F = b (rho_i + rho_j) (1 - r/r_d) e,   rho_i = sum over j of w(r_ij),   w = 15 / (2 pi r_d^3) (1 - r/r_d)^2
//
// LAMMPS's mdpd has another weight, Lucy's: w = 105 / (16 pi r_d^3) (1 + 3 r/r_d) (1 - r/r_d)^3. A deck may ask for it
// (density_weight).
//
// With the first weight the force is minus the slope of  sum over i of  pi b r_d^4 / 30 rho_i^2,  of which a pair has
// its part: b r_d / 4 (rho_i + rho_j) (1 - r/r_d)^2; if all pairs have the same b and r_d. Else, and with Lucy's
// weight, there is no such energy (Warren, Phys. Rev. E 87, 045303 (2013)).
//
// Densities are summed before any other force; on several ranks ghosts get them while those are at work.
#pragma once

#include <algorithm>

#include "core/math.hpp"
#include "core/portable_math.hpp"
#include "grid/field_rows.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_force.hpp"
#include "physics/pair/conservative_keys.hpp"

namespace mesowarp {

// rho_i, 1 / volume; of the step's positions.
struct LocalDensity {
  static constexpr const char* name = "local_density";
  static constexpr int width = 1;
  static constexpr bool summedFirst = true;
  static constexpr unsigned traits = ghosted | midstep;
};

inline bool isManyBody(const input::Interaction& interaction) {
  return interaction.style == input::FurtherStyle::manyBody;
}

template <class R, class Math>
struct DensitySum {
  using Real = R;
  using Reads = PairReads<>;
  using Sums = PairSumsAlone<LocalDensity>;

  template <class V>
  struct CoefficientsOf {
    V square = 0, cube = 0, fourth = 0;  // of (1 - r/r_d)
    V inverseCutoff = 1e9;               // 1 / r_d; this default gives nothing
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr const char* label = "density";
  static bool handles(const input::Interaction& interaction, const input::Deck&) { return isManyBody(interaction); }
  // w(0), of Lucy's: the larger one is the first.
  static double contact(double cutoff) { return 15.0 / (2.0 * 3.14159265358979323846 * cutoff * cutoff * cutoff); }
  static double contactOfLucy(double cutoff) { return 105.0 / 120.0 * contact(cutoff); }
  // Of sums in fixed point: more particles than can be at one place.
  static double ownRange(const input::Deck& deck) {
    double most = 0.0;
    for (const auto& i : deck.interactions)
      if (isManyBody(i)) most = std::max(most, contact(i.cutoff));
    constexpr double particles = 1024.0;
    return particles * most;
  }
  template <class Settings>
  static Coefficients coefficients(const Settings& in) {
    const double cutoff = in.interaction.cutoff;
    const bool lucy =
        static_cast<DensityWeight>(in.interaction.own.template get<ManyBodyKeys>().weight) == DensityWeight::lucy;
    if (!lucy) return {Real(in.ownScale * contact(cutoff)), Real(0), Real(0), Real(1.0 / cutoff)};
    const double most = in.ownScale * contactOfLucy(cutoff);  // (1 + 3 q) (1 - q)^3 = 4 w^3 - 3 w^4, w = 1 - q
    return {Real(0), Real(4.0 * most), Real(-3.0 * most), Real(1.0 / cutoff)};
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTermOf<DensitySum, V> evaluate(const CoefficientsOf<V>& c,
                                                                        const PairInput<V>& in) {
    using math::fusedMultiplyAdd, math::larger;
    const V r = in.distance2 * Math::inverseSquareRoot(in.distance2);
    const V w = larger(fusedMultiplyAdd(-r, c.inverseCutoff, V(1)), V(0));
    PairTermOf<DensitySum, V> term{};
    term.own[0] = w * w * fusedMultiplyAdd(w, fusedMultiplyAdd(w, c.fourth, c.cube), c.square);
    return term;
  }
};

template <class R, class Math>
struct ManyBodyForce {
  using Real = R;
  using Reads = PairReads<LocalDensity>;
  using Sums = PairSums<>;

  template <class V>
  struct CoefficientsOf {
    V b = 0;                // force volume
    V inverseCutoff = 1e9;  // 1 / r_d; this default acts on nothing
    V quarterRange = 0;     // b r_d / 4
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr bool alwaysLooksUp = true;
  static constexpr const char* label = "pair many-body";
  static bool handles(const input::Interaction& interaction, const input::Deck&) { return isManyBody(interaction); }
  static Coefficients coefficients(const input::Interaction& in, double /*timestep*/, double scale) {
    const double b = scale * in.own.get<ManyBodyKeys>().b;
    return {Real(b), Real(1.0 / in.cutoff), Real(0.25 * b * in.cutoff)};
  }

  // What is the same from both sides is multiplied in the same order.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<V> evaluate(const CoefficientsOf<V>& c,
                                                          const PairInputOf<ManyBodyForce, V>& in) {
    using math::fusedMultiplyAdd, math::larger;
    const V inverseR = Math::inverseSquareRoot(in.distance2);
    const V r = in.distance2 * inverseR;
    const V w = larger(fusedMultiplyAdd(-r, c.inverseCutoff, V(1)), V(0));
    const V crowded = (in.ownI[0] + in.ownJ[0]) * w;
    return {c.b * crowded * inverseR, c.quarterRange * crowded * w};
  }
};

}  // namespace mesowarp
