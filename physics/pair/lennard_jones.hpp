// Lennard-Jones, cut and shifted: U = 4 epsilon [(sigma/r)^12 - (sigma/r)^6] - U(r_c); WCA with r_c = 2^(1/6) sigma.
#pragma once

#include "core/math.hpp"
#include "core/portable_math.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_force.hpp"

namespace mesowarp {

template <class R, class Math>
struct LennardJonesForce {
  using Real = R;
  using Reads = PairReads<>;
  using Sums = PairSums<>;

  template <class V>
  struct CoefficientsOf {
    V epsilon = 0;
    V sigma2 = 0;
    V cutoff2 = 0;  // 0: acts on nothing
    V shift = 0;    // U(r_c) before the shift
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr const char *label = "pair lennard-jones", *labelBetween = "pair lennard-jones between molecules";
  static bool isStyle(const input::Interaction& interaction) {
    return interaction.style == input::InteractionStyle::lj || interaction.style == input::InteractionStyle::wca;
  }
  static bool handles(const input::Interaction& interaction, const input::Deck&) {
    return isStyle(interaction) && !input::betweenMolecules(interaction);
  }
  static Coefficients coefficients(const input::Interaction& in, double /*timestep*/, double scale) {
    const double ratio = in.sigma / in.cutoff, s3 = ratio * ratio * ratio, s6 = s3 * s3, epsilon = scale * in.epsilon;
    return {Real(epsilon), Real(in.sigma * in.sigma), Real(in.cutoff * in.cutoff),
            Real(4.0 * epsilon * (s6 * s6 - s6))};
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<V> evaluate(const CoefficientsOf<V>& c, const PairInput<V>& in) {
    using math::fusedMultiplyAdd, math::select;
    const auto inside = in.distance2 < c.cutoff2;
    const V inverse2 = Math::quotient(V(1), in.distance2);
    const V s2 = c.sigma2 * inverse2;
    const V s6 = s2 * s2 * s2;
    const V force = V(24) * c.epsilon * inverse2 * s6 * fusedMultiplyAdd(V(2), s6, V(-1));
    const V energy = fusedMultiplyAdd(V(4) * c.epsilon * s6, s6 - V(1), -c.shift);
    return {select(inside, force, V(0)), select(inside, energy, V(0))};
  }
};

}  // namespace mesowarp
