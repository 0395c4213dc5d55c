// Morse's potential, cut and shifted: U = epsilon [(1 - e)^2 - 1] - U(r_c), e = exp(-beta (r - r0)); F = -dU/dr =
// 2 epsilon beta e (e - 1). Its minimum, -epsilon, is at r0; it stays finite at r = 0 (LAMMPS: pair_style morse).
#pragma once

#include <cmath>

#include "core/math.hpp"
#include "core/portable_math.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_force.hpp"
#include "physics/pair/conservative_keys.hpp"

namespace mesowarp {

template <class R, class Math>
struct MorseForce {
  using Real = R;
  using Reads = PairReads<>;
  using Sums = PairSums<>;

  template <class V>
  struct CoefficientsOf {
    V epsilon = 0;
    V slope = 0;    // 2 epsilon beta
    V decay = 0;    // beta log2(e)
    V offset = 0;   // beta log2(e) r0
    V shift = 0;    // U(r_c) before the shift
    V cutoff2 = 0;  // 0: acts on nothing
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr bool alwaysLooksUp = true;
  static constexpr const char *label = "pair morse", *labelBetween = "pair morse between molecules";
  static bool isStyle(const input::Interaction& interaction) { return interaction.style == input::FurtherStyle::morse; }
  static bool handles(const input::Interaction& interaction, const input::Deck&) {
    return isStyle(interaction) && !input::betweenMolecules(interaction);
  }
  static Coefficients coefficients(const input::Interaction& in, double /*timestep*/, double scale) {
    constexpr double log2e = 1.4426950408889634074;
    const MorseKeys& keys = in.own.get<MorseKeys>();
    const double epsilon = scale * in.epsilon, e = std::exp(-keys.beta * (in.cutoff - keys.r0));
    return {Real(epsilon),
            Real(2.0 * epsilon * keys.beta),
            Real(keys.beta * log2e),
            Real(keys.beta * log2e * keys.r0),
            Real(epsilon * e * (e - 2.0)),
            Real(in.cutoff * in.cutoff)};
  }

  // Below 2^-60 e is nothing: a power of two never leaves its range, wherever a row's padding is.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static V exp2Of(V x) {
    using math::floorOf, math::larger, math::powerOfTwo;
    const V at = larger(x, V(-60)), whole = floorOf(at + V(0.5));
    if constexpr (math::isSingle<V>)
      return powerOfTwo(whole) * math::polynomial<math::coefficients::exp2Single>(at - whole);
    else
      return powerOfTwo(whole) * math::polynomial<math::coefficients::exp2Full>(at - whole);
  }
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<V> evaluate(const CoefficientsOf<V>& c, const PairInput<V>& in) {
    using math::fusedMultiplyAdd, math::select;
    const auto inside = in.distance2 < c.cutoff2;
    const V inverseR = Math::inverseSquareRoot(in.distance2);
    const V e = exp2Of(fusedMultiplyAdd(-c.decay, in.distance2 * inverseR, c.offset));
    const V force = c.slope * inverseR * e * (e - V(1));
    const V energy = fusedMultiplyAdd(c.epsilon * e, e - V(2), -c.shift);
    return {select(inside, force, V(0)), select(inside, energy, V(0))};
  }
};

}  // namespace mesowarp
