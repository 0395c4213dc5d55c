// Angles from their sines and cosines: by the operations of math.hpp alone, so that with `Portable` every machine gets
// the same bits.
#pragma once

#include "core/math.hpp"
#include "core/types.hpp"
#include "physics/topology/angle_coefficients.hpp"

namespace mesowarp::math {

inline constexpr double pi = 3.14159265358979323846;

// atan(t) / t from t^2, |t| <= tan(pi / 8).
template <class V>
KOKKOS_FORCEINLINE_FUNCTION V atanRatio(V t2) {
  if constexpr (isSingle<V>)
    return polynomial<coefficients::atanSingle>(t2);
  else
    return polynomial<coefficients::atanFull>(t2);
}

// The angle of the point (x, y), y >= 0, in radians from 0 to pi; of the origin 0. Relative error below 5e-16 (double),
// 3e-7 (float). V: a number, or a CPU's vector of them.
template <class Math, class V>
KOKKOS_FORCEINLINE_FUNCTION V angleOf(V y, V x) {
  const V ahead = select(x < V(0), -x, x);
  const V high = larger(larger(ahead, y), V(1e-30)), low = smaller(ahead, y);
  // atan t = pi / 4 + atan((t - 1) / (t + 1)) above tan(pi / 8).
  const auto steep = low > V(0.41421356237309503) * high;
  const V t = Math::quotient(select(steep, low - high, low), select(steep, low + high, high));
  const V ratio = atanRatio(t * t);
  const V first = fusedMultiplyAdd(t, ratio, select(steep, V(0.25 * pi), V(0)));
  const V quarter = select(y > ahead, V(0.5 * pi) - first, first);
  return select(x < V(0), V(pi) - quarter, quarter);
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real inner(const Vec3<Real>& a, const Vec3<Real>& b) {
  return fusedMultiplyAdd(a.x, b.x, fusedMultiplyAdd(a.y, b.y, a.z * b.z));
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> cross(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {fusedMultiplyAdd(a.y, b.z, -(a.z * b.y)), fusedMultiplyAdd(a.z, b.x, -(a.x * b.z)),
          fusedMultiplyAdd(a.x, b.y, -(a.y * b.x))};
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> times(Real factor, const Vec3<Real>& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}

}  // namespace mesowarp::math
