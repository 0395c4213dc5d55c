// A soft push-off with a bounded force: U = A (1 + cos(pi r / r_c)), F = A pi / r_c sin(pi r / r_c), zero with its
// slope at r_c (LAMMPS: pair_style soft). Particles that lie on each other part without a trick of the time step.
#pragma once

#include "core/math.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_force.hpp"
#include "physics/pair/conservative_keys.hpp"

namespace mesowarp {

template <class R, class Math>
struct SoftForce {
  using Real = R;
  using Reads = PairReads<>;
  using Sums = PairSums<>;

  template <class V>
  struct CoefficientsOf {
    V amplitude = 0;      // A, energy
    V slope = 0;          // A pi / r_c
    V inverseCutoff = 0;  // 1 / r_c
    V cutoff2 = 0;        // 0: acts on nothing
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr bool alwaysLooksUp = true;
  static constexpr const char *label = "pair soft", *labelBetween = "pair soft between molecules";
  static bool isStyle(const input::Interaction& interaction) { return interaction.style == input::FurtherStyle::soft; }
  static bool handles(const input::Interaction& interaction, const input::Deck&) {
    return isStyle(interaction) && !input::betweenMolecules(interaction);
  }
  static Coefficients coefficients(const input::Interaction& in, double /*timestep*/, double scale) {
    const double amplitude = scale * in.own.get<SoftKeys>().amplitude;
    return {Real(amplitude), Real(amplitude * 3.14159265358979323846 / in.cutoff), Real(1.0 / in.cutoff),
            Real(in.cutoff * in.cutoff)};
  }

  // With t = r / r_c and u = 1/2 - t: sin(pi t) = 1 - 2 sin^2(pi u / 2), cos(pi t) = sin(pi u). At the cutoff, u =
  // -1/2, the force is set to zero rather than to what rounding leaves.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<V> evaluate(const CoefficientsOf<V>& c, const PairInput<V>& in) {
    using math::fusedMultiplyAdd, math::larger, math::select;
    const V inverseR = Math::inverseSquareRoot(in.distance2);
    const V left = larger(fusedMultiplyAdd(-(in.distance2 * inverseR), c.inverseCutoff, V(1)), V(0));  // 1 - t
    const V u = left - V(0.5), half = math::sinPiHalf(V(0.5) * u);
    const V sine = fusedMultiplyAdd(V(-2) * half, half, V(1));
    const V energy = fusedMultiplyAdd(c.amplitude, math::sinPiHalf(u), c.amplitude);
    const auto inside = in.distance2 < c.cutoff2;
    return {select(inside, c.slope * sine * inverseR, V(0)), select(inside, energy, V(0))};
  }
};

}  // namespace mesowarp
