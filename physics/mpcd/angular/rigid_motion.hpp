// How a cell's particles turn as if they were rigid: I Omega = L, I their moments of inertia about their centre.
//
// A symmetric matrix of three rows, so it is solved here, by the factors L D L^T without pivots, which are as good as
// any for a positive matrix: 9 multiplications, 3 divisions and as many additions, in a fixed order. The batched
// solvers of Kokkos Kernels do the same, in an order that is their own and another from version to version: a CPU build
// and a GPU build, which come with different ones, would not get the same bits.
#pragma once

#include "core/math.hpp"

namespace mesowarp::mpcd {

KOKKOS_INLINE_FUNCTION void crossProduct(const double (&a)[3], const double (&b)[3], double (&c)[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

class RigidMotion {
public:
  // c: sums of r r relative to the centre (xx yy zz xy xz yz), of so many particles.
  KOKKOS_INLINE_FUNCTION RigidMotion(const double (&c)[6], int particles, double leastDeterminant) {
    spread_ = c[0] + c[1] + c[2];
    if (particles < 2 || !(spread_ > 1e-12)) return;  // all in one place
    freedom_ = 2;
    const double xx = c[1] + c[2], yy = c[0] + c[2], zz = c[0] + c[1], xy = -c[3], xz = -c[4], yz = -c[5];
    if (particles == 2 || !(xx > 0.0)) return;
    const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    if (!(determinant > leastDeterminant * spread_ * spread_ * spread_)) return;
    freedom_ = 3;
    d_[0] = xx, l_[0] = math::divide(xy, xx), l_[1] = math::divide(xz, xx);
    d_[1] = yy - l_[0] * xy;
    const double rest = yz - l_[0] * xz;
    l_[2] = math::divide(rest, d_[1]);
    d_[2] = zz - l_[1] * xz - l_[2] * rest;
  }

  // Of rotations that they have: 0 in one place, 2 on a line.
  KOKKOS_INLINE_FUNCTION int freedom() const { return freedom_; }

  KOKKOS_INLINE_FUNCTION void of(const double (&momentum)[3], double (&omega)[3]) const {
    for (int a = 0; a < 3; ++a) omega[a] = 0.0;
    if (freedom_ == 2)  // across the line, I is the spread
      for (int a = 0; a < 3; ++a) omega[a] = math::divide(momentum[a], spread_);
    if (freedom_ < 3) return;
    const double y0 = momentum[0], y1 = momentum[1] - l_[0] * y0, y2 = momentum[2] - l_[1] * y0 - l_[2] * y1;
    omega[2] = math::divide(y2, d_[2]);
    omega[1] = math::divide(y1, d_[1]) - l_[2] * omega[2];
    omega[0] = math::divide(y0, d_[0]) - l_[0] * omega[1] - l_[1] * omega[2];
  }

private:
  double d_[3], l_[3];  // 10, 20, 21
  double spread_;
  int freedom_ = 0;
};

}  // namespace mesowarp::mpcd
