// A conservative force between particles of different molecules alone: cells that keep each other off, chains that
// stick to each other but not to themselves. A molecule is what bonds join, or a cell of a membrane; each particle
// carries its number. (LAMMPS: neigh_modify exclude molecule/intra.)
#pragma once

#include "core/math.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_force.hpp"

namespace mesowarp {

// From 1; 0: of no molecule, and so in none with another. Whole numbers, which single precision has up to 2^24.
struct MoleculeNumber {
  static constexpr const char* name = "molecule_number";
  static constexpr int width = 1;
};

// Force: one that reads and sums nothing of its own, with isStyle() and labelBetween.
template <class Force>
struct BetweenMolecules {
  using Real = typename Force::Real;
  using Reads = PairReads<MoleculeNumber>;
  using Sums = PairSums<>;
  template <class V>
  using CoefficientsOf = typename Force::template CoefficientsOf<V>;
  using Coefficients = typename Force::Coefficients;

  static constexpr bool alwaysLooksUp = true;
  static constexpr const char* label = Force::labelBetween;
  static bool handles(const input::Interaction& interaction, const input::Deck&) {
    return Force::isStyle(interaction) && input::betweenMolecules(interaction);
  }
  static Coefficients coefficients(const input::Interaction& in, double timestep, double scale) {
    return Force::coefficients(in, timestep, scale);
  }

  template <class CoefficientsOfV, class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<V> evaluate(const CoefficientsOfV& c, const PairInput<V, 1>& in) {
    using math::select;
    const PairTerm<V> term = Force::evaluate(c, static_cast<const PairInput<V>&>(in));
    const V apart = in.ownI[0] - in.ownJ[0];
    const V acts = select(in.ownI[0] < V(0.5), V(1), select(apart * apart < V(0.25), V(0), V(1)));
    return {select(acts > V(0.5), term.forceOverR, V(0)), select(acts > V(0.5), term.energy, V(0))};
  }
};

}  // namespace mesowarp
