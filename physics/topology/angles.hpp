// Angles theta between two bonds of one bead, a - b - c; 180 degrees are straight.
//   harmonic        U = k/2 (theta - theta0)^2
//   cosine          U = k (1 + cos theta): of the straight chain none, the discrete worm-like chain
//   cosine-squared  U = k/2 (cos theta - cos theta0)^2
#pragma once

#include "physics/topology/term.hpp"

namespace mesowarp {

enum class AngleKind : int { harmonic, cosine, cosineSquared };

template <class Real>
struct AngleCoefficients {
  AngleKind kind = AngleKind::harmonic;
  Real k = 0;
  Real theta0 = 0, cos0 = 1;  // radians
  template <class V>
  AngleCoefficients<V> as() const {
    return {kind, V(k), V(theta0), V(cos0)};
  }
};

template <class Math>
struct AngleTerm {
  template <class V>
  using Coefficients = AngleCoefficients<V>;
  static constexpr int members = 3, parts = 2, arms = 2;
  static constexpr const char* label = "angles";
  static constexpr StepFlags::Event missing = StepFlags::anglePartnerMissing;

  // Way a is from the second (end = 1) to the first of two members.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int arm(int a, int end) { return end == 1 ? 1 : 2 * a; }
  // Parts: the forces on both ends, of which the bead between them gets the opposite.
  KOKKOS_FORCEINLINE_FUNCTION static int sign(int member, int part) {
    return member == 1 ? -1 : (member == 2 * part ? 1 : 0);
  }

  // way: as arm() says, length. V: a number, or a CPU's vector of them.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static TermForces<V, parts> evaluate(const AngleCoefficients<V>& c, const Vec3<V>* way) {
    using math::cross, math::inner, math::times, math::larger, math::fusedMultiplyAdd;
    const Vec3<V> r1 = way[0], r2 = way[1];
    const Vec3<V> n = cross(r1, r2);  // l1 l2 sin theta long
    const V inverse1 = Math::inverseSquareRoot(larger(inner(r1, r1), V(1e-24))),
            inverse2 = Math::inverseSquareRoot(larger(inner(r2, r2), V(1e-24))), both = inverse1 * inverse2,
            dot = inner(r1, r2);
    V slope, energy;  // slope: dU/dtheta over the length of n
    if (c.kind == AngleKind::cosine) {
      slope = -c.k * both;
      energy = c.k * fusedMultiplyAdd(dot, both, V(1));
    } else if (c.kind == AngleKind::cosineSquared) {
      const V off = fusedMultiplyAdd(dot, both, -c.cos0);
      slope = -c.k * off * both;
      energy = V(0.5) * c.k * off * off;
    } else {
      const V n2 = inner(n, n), inverse = Math::inverseSquareRoot(larger(n2, V(1e-30)));
      const V off = math::angleOf<Math>(n2 * inverse, dot) - c.theta0;
      slope = c.k * off * inverse;  // of a straight angle n is 0, and so is the force, whose direction nobody knows
      energy = V(0.5) * c.k * off * off;
    }
    // d theta / d a = r1 x n / (l1^2 |n|), d theta / d c = n x r2 / (l2^2 |n|)
    return {{times(-slope * inverse1 * inverse1, cross(r1, n)), times(-slope * inverse2 * inverse2, cross(n, r2))},
            {r1, r2},
            energy};
  }
};

}  // namespace mesowarp
