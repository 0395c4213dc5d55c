// Fourth-order Hermite steps of one body, and Aarseth's criterion for the next step's length.
#pragma once

#include "physics/nbody/vectors.hpp"

namespace mesowarp::nbody {

struct Motion4 {
  Vector x, v, a, j;
};

// x, v after h, from their derivatives.
KOKKOS_FORCEINLINE_FUNCTION void predict(const Motion4& from, double h, Vector& x, Vector& v) {
  x = from.x + h * (from.v + (h / 2.0) * (from.a + (h / 3.0) * from.j));
  v = from.v + h * (from.a + (h / 2.0) * from.j);
}

// x, v after h, from a and j at both ends.
KOKKOS_FORCEINLINE_FUNCTION void correct(const Motion4& from, double h, const Vector& a, const Vector& j, Vector& x,
                                         Vector& v) {
  v = from.v + (h / 2.0) * (from.a + a) + (h * h / 12.0) * (from.j - j);
  x = from.x + (h / 2.0) * (from.v + v) + (h * h / 12.0) * (from.a - a);
}

// dt = sqrt(eta (|a| |a''| + |j|^2) / (|j| |a'''| + |a''|^2)) at the end of a step h, with a'', a''' of the polynomial
// through both ends (Aarseth 1985). Nothing that varies: infinite.
KOKKOS_FORCEINLINE_FUNCTION double aarsethStep(const Motion4& from, double h, const Vector& a, const Vector& j,
                                               double eta) {
  const Vector third = (12.0 / (h * h * h)) * (from.a - a) + (6.0 / (h * h)) * (from.j + j);
  const Vector second = (-6.0 / (h * h)) * (from.a - a) - (1.0 / h) * (4.0 * from.j + 2.0 * j) + h * third;
  const double above = norm(a) * norm(second) + dot(j, j), below = norm(j) * norm(third) + dot(second, second);
  return math::squareRoot(eta * above / below);
}

// Of the first step, of which only a and j are known.
KOKKOS_FORCEINLINE_FUNCTION double firstStep(const Vector& a, const Vector& j, double eta) {
  return 0.5 * eta * norm(a) / norm(j);
}

}  // namespace mesowarp::nbody
