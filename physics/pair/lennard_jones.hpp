// Lennard-Jones, cut and shifted: U = 4 epsilon [(sigma/r)^12 - (sigma/r)^6] - U(r_c); WCA with r_c = 2^(1/6) sigma.
#pragma once

#include "core/math.hpp"
#include "core/pair_force.hpp"
#include "core/portable_math.hpp"
#include "input/deck.hpp"

namespace mesowarp {

template <class R, class Math>
struct LennardJonesForce {
  using Real = R;
  static constexpr bool usesVelocity = false;

  struct Coefficients {
    Real epsilon = 0;
    Real sigma2 = 0;
    Real cutoff2 = 0;  // 0: acts on nothing
    Real shift = 0;    // U(r_c) before the shift
  };

  static constexpr const char* label = "pair lennard-jones";
  static bool handles(const input::Interaction& interaction, const input::Deck&) {
    return interaction.style == input::InteractionStyle::lj || interaction.style == input::InteractionStyle::wca;
  }
  static Coefficients coefficients(const input::Interaction& in, double /*timestep*/, double scale) {
    const double ratio = in.sigma / in.cutoff, s3 = ratio * ratio * ratio, s6 = s3 * s3, epsilon = scale * in.epsilon;
    return {Real(epsilon), Real(in.sigma * in.sigma), Real(in.cutoff * in.cutoff), Real(4.0 * epsilon * (s6 * s6 - s6))};
  }

  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<Real> evaluate(const Coefficients& c, const PairInput<Real>& in) {
    const bool inside = in.distance2 < c.cutoff2;
    const Real inverse2 = Math::quotient(Real(1), in.distance2);
    const Real s2 = c.sigma2 * inverse2;
    const Real s6 = s2 * s2 * s2;
    const Real force = Real(24) * c.epsilon * inverse2 * s6 * math::fusedMultiplyAdd(Real(2), s6, Real(-1));
    const Real energy = math::fusedMultiplyAdd(Real(4) * c.epsilon * s6, s6 - Real(1), -c.shift);
    return {inside ? force : Real(0), inside ? energy : Real(0)};
  }
};

}  // namespace mesowarp
