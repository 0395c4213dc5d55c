// Arithmetic of vectors in double precision.
#pragma once

#include "core/math.hpp"

namespace mesowarp::nbody {

using Vector = Vec3<double>;

KOKKOS_FORCEINLINE_FUNCTION Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
KOKKOS_FORCEINLINE_FUNCTION Vector operator-(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
KOKKOS_FORCEINLINE_FUNCTION Vector operator*(double s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
KOKKOS_FORCEINLINE_FUNCTION double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KOKKOS_FORCEINLINE_FUNCTION double norm(const Vector& a) { return math::squareRoot(dot(a, a)); }

}  // namespace mesowarp::nbody
