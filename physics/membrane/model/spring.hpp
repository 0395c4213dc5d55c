// The spring of an edge: a worm-like chain that attracts and a power law that repels (Fedosov, Caswell, Karniadakis,
// Biophys. J. 98 (2010) 2215; red-cell paper, Eqs. 13 and 14). With the edge's length l, the stress-free length l0, and
// the largest l_m = l0 / x0, x = l / l_m:
//
//   dU/dl = (k_BT / p) [1 / (4 (1 - x)^2) - 1/4 + x] - k_p / l^m,  zero at l0.
//
// Both k_BT / p and k_p follow from l0 and the shear modulus of a sheet of such springs, mu = sqrt(3)/4 U''(l0); since
// they go with l0 and l0^(m + 1), a spring is c l0 f(l / l0) with one constant c for all edges of a cell.
#pragma once

#include <cmath>

#include "core/math.hpp"
#include "core/portable_math.hpp"

namespace mesowarp::membrane {

template <class Real>
struct SpringLaw {
  Real c = 0;                  // k_BT / (p l0), energy / length^2
  Real ratio = Real(0.45454);  // x0 = l0 / l_m
  Real exponent = 2;           // m
  Real inverseLess = 1;        // 1 / (m - 1); m = 1: not used
  Real atRest = 0;             // of the worm-like chain at l0: 1 / (4 (1 - x0)^2) - 1/4 + x0
  Real energyAtRest = 0;       // U(l0) / (c l0^2)
};

// Host: for a shear modulus (energy / length^2), all terms times `scale`.
template <class Real>
SpringLaw<Real> springLaw(double shearModulus, double x0, double m, double scale) {
  const double y = 1.0 - x0, f0 = 0.25 / (y * y) - 0.25 + x0;
  const double stiffness = x0 / (2.0 * y * y * y) + x0 + m * f0;  // U''(l0) / c
  const double chain = x0 * (3.0 - 2.0 * x0) / (4.0 * y), power = m == 1.0 ? 0.0 : f0 / (m - 1.0);
  return {Real(scale * 4.0 / std::sqrt(3.0) * shearModulus / stiffness),
          Real(x0),
          Real(m),
          Real(m == 1.0 ? 0.0 : 1.0 / (m - 1.0)),
          Real(f0),
          Real(chain + power)};
}

// s = l / l0 below 1 / x0: (dU/dl) / (c l0) and U / (c l0^2), zero at s = 1.
template <class Math, class Real>
KOKKOS_INLINE_FUNCTION void springOf(const SpringLaw<Real>& law, Real s, Real& force, Real& energy) {
  const Real x = law.ratio * s, y = Real(1) - x, inverseY = Math::quotient(Real(1), y);
  const Real chain = math::fusedMultiplyAdd(Real(0.25) * inverseY, inverseY, x - Real(0.25));
  const Real inverseS = Math::quotient(Real(1), s);
  Real power, potential;
  if (law.exponent == Real(2)) {
    power = inverseS * inverseS, potential = inverseS;
  } else {
    power = math::power<Math>(inverseS, law.exponent);
    potential = law.exponent == Real(1) ? math::logUnit<Math>(inverseS) : (power * s) * law.inverseLess;
  }
  force = chain - law.atRest * power;
  const Real worm = Real(0.25) * x * s * (Real(3) - Real(2) * x) * inverseY;  // x^2 (3 - 2x) / (4 x0 (1 - x))
  energy = math::fusedMultiplyAdd(law.atRest, potential, worm) - law.energyAtRest;
}

}  // namespace mesowarp::membrane
