// Friction of pairs against the flow of a box that is stretched, where velocities are those relative to that flow
// (physics/integrate/box/deformation.hpp): particles at r move apart at v + Gamma r, with Gamma_ab = delta_ab d ln L_a
// / dt, so beside DPD's own force there is
//
//   F = -gamma w_R^2 (e . Gamma r) e,   w_R = (1 - r/r_c)^s.
//
// Its share of the pressure is what pairs drag against the flow.
#pragma once

#include <functional>

#include "core/math.hpp"
#include "core/portable_math.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_force.hpp"
#include "physics/integrate/box/box_flow.hpp"

namespace mesowarp {

template <class R, class Math>
struct FlowFriction {
  using Real = R;
  using Reads = PairReads<Separation>;
  using Sums = PairSums<>;

  template <class V>
  struct CoefficientsOf {
    V gamma = 0;            // mass / time
    V inverseCutoff = 1e9;  // 1 / r_c; this default acts on nothing
    V twiceExponent = 2;    // 2 s
  };
  using Coefficients = CoefficientsOf<Real>;
  struct Uniform {
    Real rate[3] = {};  // Gamma_aa, 1 / time
  };

  static constexpr bool alwaysLooksUp = true, alwaysFollowed = true;
  static constexpr const char* label = "friction against the flow of the box";
  static bool handles(const input::Interaction& interaction, const input::Deck& deck) {
    return deck.own.get<DeformationKeys>().on && input::isPairDpd(interaction.style) && interaction.gamma > 0.0;
  }
  static Coefficients coefficients(const input::Interaction& in, double /*timestep*/, double scale) {
    return {Real(scale * in.gamma), Real(1.0 / in.cutoff), Real(2.0 * in.exponent)};
  }
  static std::function<Uniform(i64)> uniformOfStep(const input::Deck& deck) {
    return [flow = BoxFlow(deck)](i64 step) {
      const auto rate = flow.rateAt(step);
      return Uniform{{Real(rate[0]), Real(rate[1]), Real(rate[2])}};
    };
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTerm<V> evaluate(const CoefficientsOf<V>& c, const PairInput<V>& in,
                                                          const Uniform& uniform) {
    using math::fusedMultiplyAdd, math::larger, math::select;
    const V inverseR = Math::inverseSquareRoot(in.distance2);
    const V wC = larger(fusedMultiplyAdd(-(in.distance2 * inverseR), c.inverseCutoff, V(1)), V(0));
    const V raised = math::power<Math>(larger(wC, V(1e-15)), c.twiceExponent);
    const V w = select(wC > V(0), raised, V(0));
    const Vec3<V>& r = in.separation;
    const Vec3<V> moves{V(uniform.rate[0]) * r.x, V(uniform.rate[1]) * r.y, V(uniform.rate[2]) * r.z};
    const V along = dot(r, moves, V(0)) * inverseR * inverseR;
    return {-(c.gamma * w * along), V(0)};
  }
};

}  // namespace mesowarp
