// What the table says of bodies, in one sum. The virial is sum (r - R) F with the centre of mass R, so that it does not
// depend on where the origin lies even if rounding leaves a net force.
#pragma once

#include "core/sums.hpp"
#include "physics/nbody/vectors.hpp"

namespace mesowarp::nbody {

struct BodyTotals {
  double kinetic[6] = {};  // sum m v v: xx, yy, zz, xy, xz, yz
  double momentum[3] = {}, angularMomentum[3] = {};
  double virial[6] = {};                             // sum r F
  double force[3] = {}, moment[3] = {}, mass = 0.0;  // moment: sum m r
};

// What one body adds to them.
struct TotalsOfBody {
  DeviceArray<Vector> x, v, a;
  DeviceArray<double> mass;
  KOKKOS_INLINE_FUNCTION BodyTotals operator()(int i) const {
    BodyTotals t;
    const double m = mass(i);
    const Vector r = x(i), w = v(i), p = m * w, f = m * a(i);
    const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    for (int c = 0; c < 6; ++c) t.kinetic[c] = p[first[c]] * w[second[c]], t.virial[c] = r[first[c]] * f[second[c]];
    for (int c = 0; c < 3; ++c) {
      const int d = (c + 1) % 3, e = (c + 2) % 3;
      t.momentum[c] = p[c], t.force[c] = f[c], t.moment[c] = m * r[c];
      t.angularMomentum[c] = r[d] * p[e] - r[e] * p[d];
    }
    t.mass = m;
    return t;
  }
};

inline ThermoSums thermoOf(const BodyTotals& t, double potential) {
  const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
  ThermoSums sums;
  for (int c = 0; c < 6; ++c) {
    sums.kinetic[c] = t.kinetic[c];
    sums.virial[c] = t.virial[c] - t.moment[first[c]] / t.mass * t.force[second[c]];
  }
  for (int c = 0; c < 3; ++c) sums.momentum[c] = t.momentum[c];
  sums.potential = potential;
  return sums;
}

}  // namespace mesowarp::nbody
