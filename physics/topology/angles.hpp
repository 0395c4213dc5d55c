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
};

template <class Math_, class R>
struct AngleTerm {
  using Real = R;
  using Math = Math_;
  using Coefficients = AngleCoefficients<R>;
  static constexpr int members = 3, parts = 2;
  static constexpr const char* label = "angles";
  static constexpr StepFlags::Event missing = StepFlags::anglePartnerMissing;

  // Parts: the forces on both ends, of which the bead between them gets the opposite.
  KOKKOS_FORCEINLINE_FUNCTION static int sign(int member, int part) {
    return member == 1 ? -1 : (member == 2 * part ? 1 : 0);
  }

  // from(m, l): the way from member l to member m, length.
  template <class From>
  KOKKOS_INLINE_FUNCTION static TermForces<Real, parts> evaluate(const Coefficients& c, const From& from) {
    using math::cross, math::inner, math::times, math::larger, math::fusedMultiplyAdd;
    const Vec3<Real> r1 = from(0, 1), r2 = from(2, 1);
    const Vec3<Real> n = cross(r1, r2);  // l1 l2 sin theta long
    const Real inverse1 = Math::inverseSquareRoot(larger(inner(r1, r1), Real(1e-24))),
               inverse2 = Math::inverseSquareRoot(larger(inner(r2, r2), Real(1e-24))), both = inverse1 * inverse2,
               dot = inner(r1, r2);
    Real slope, energy;  // slope: dU/dtheta over the length of n
    if (c.kind == AngleKind::cosine) {
      slope = -c.k * both;
      energy = c.k * fusedMultiplyAdd(dot, both, Real(1));
    } else if (c.kind == AngleKind::cosineSquared) {
      const Real off = fusedMultiplyAdd(dot, both, -c.cos0);
      slope = -c.k * off * both;
      energy = Real(0.5) * c.k * off * off;
    } else {
      const Real n2 = inner(n, n), inverse = Math::inverseSquareRoot(larger(n2, Real(1e-30)));
      const Real off = math::angleOf<Math>(n2 * inverse, dot) - c.theta0;
      slope = c.k * off * inverse;  // of a straight angle n is 0, and so is the force, whose direction nobody knows
      energy = Real(0.5) * c.k * off * off;
    }
    // d theta / d a = r1 x n / (l1^2 |n|), d theta / d c = n x r2 / (l2^2 |n|)
    return {{times(-slope * inverse1 * inverse1, cross(r1, n)), times(-slope * inverse2 * inverse2, cross(n, r2))},
            {r1, r2},
            energy};
  }
};

}  // namespace mesowarp
