// Dissipative particle dynamics, the pair force of the DPD paper (Eqs. 3-9):
//   F = [a w_C - gamma w_R^2 (e . v) + sigma w_R xi / sqrt(dt)] e,   w_C = 1 - r/r_c,  w_R = w_C^s,  w_D = w_R^2.
#pragma once

#include <cmath>
#include <type_traits>

#include "core/math.hpp"
#include "core/portable_math.hpp"
#include "core/random.hpp"
#include "input/deck.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_force.hpp"

namespace mesowarp {

// Mixing: see core/random.hpp.
template <class R, bool UnitExponent, class Mixing, class Math>
struct DpdForce {
  using Real = R;
  using Reads = PairReads<Velocity, Noise>;
  using Sums = PairSums<>;

  template <class V>
  struct CoefficientsOf {
    V a = 0;                // energy / length
    V gamma = 0;            // mass / time
    V noise = 0;            // sigma / sqrt(dt)
    V inverseCutoff = 1e9;  // 1 / r_c; this default acts on nothing
    V exponent = 1;         // s
    V halfRange = 0;        // a r_c / 2: energy at contact
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr const char* label = UnitExponent ? "pair dpd" : "pair dpd (any exponent)";
  // The simpler variant acts if every DPD interaction of the deck has s = 1, the general one otherwise.
  static constexpr auto ownNoise =
      std::is_same_v<Mixing, TeaMixing> ? input::PairNoise::tea : input::PairNoise::multiply;
  static bool handles(const input::Interaction& interaction, const input::Deck& deck) {
    bool unit = true;
    for (const auto& other : deck.interactions)
      unit = unit && (!input::isPairDpd(other.style) || other.exponent == 1.0);
    return input::isPairDpd(interaction.style) && unit == UnitExponent && deck.run.pair_noise == ownNoise;
  }
  static Coefficients coefficients(const input::Interaction& in, double timestep, double scale) {
    return {Real(scale * in.a),    Real(scale * in.gamma), Real(scale * in.sigma / std::sqrt(timestep)),
            Real(1.0 / in.cutoff), Real(in.exponent),      Real(scale * 0.5 * in.a * in.cutoff)};
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<V> evaluate(const CoefficientsOf<V>& c, const PairInput<V>& in) {
    using math::fusedMultiplyAdd, math::larger, math::select;
    const V inverseR = Math::inverseSquareRoot(in.distance2);
    const V r = in.distance2 * inverseR;
    const V wC = larger(fusedMultiplyAdd(-r, c.inverseCutoff, V(1)), V(0));
    V wR = wC;
    if constexpr (!UnitExponent) {
      const V raised = math::power<Math>(larger(wC, V(1e-30)), c.exponent);
      wR = select(wC > V(0), raised, V(0));
    }
    const V xi = gaussian<V, Math>(pairWords<Mixing>(in.signatureI, in.signatureJ));
    const V friction = c.gamma * wR * in.rDotV * inverseR;
    const V force = fusedMultiplyAdd(wR, fusedMultiplyAdd(c.noise, xi, -friction), c.a * wC);
    return {force * inverseR, c.halfRange * wC * wC};
  }
};

}  // namespace mesowarp
