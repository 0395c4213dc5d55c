// Where a particle meets a triangle that moves, both on straight paths through a step, or through the rest of one. With
// the corners seen from the particle, A(t), B(t), C(t), linear in t,
//
//   V(t) = -A (B x C),
//
// six times the volume that the triangle and the particle span, is above zero outside of the membrane (corners are
// counter-clockwise from there) and a cubic in t. The particle goes through at a root at which V falls (one that
// belongs outside) or rises (inside), if the weights a, b, c >= 0 of the corners that make up its place then say that
// it is in the triangle. A particle on its way home is not met.
//
// V at the ends is computed from the corners there alone, so what was on one side at the end of a step is there at the
// beginning of the next, to the last bit; at edges triangles overlap by more than rounding. So nothing gets through
// between two of them.
#pragma once

#include <cmath>

#include "core/types.hpp"

namespace mesowarp::membrane {

using Vector = Vec3<double>;

KOKKOS_INLINE_FUNCTION Vector plus(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
KOKKOS_INLINE_FUNCTION Vector less(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
KOKKOS_INLINE_FUNCTION Vector scaled(double s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
KOKKOS_INLINE_FUNCTION double inner(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KOKKOS_INLINE_FUNCTION Vector outer(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
KOKKOS_INLINE_FUNCTION Vector between(const Vector& a, const Vector& b, double t) {
  return plus(a, scaled(t, less(b, a)));
}

// Corners from the particle, at the beginning and at the end.
struct MovingTriangle {
  Vector begin[3], end[3];
  KOKKOS_INLINE_FUNCTION Vector at(int corner, double t) const { return between(begin[corner], end[corner], t); }
};

struct Crossing {
  double time = 2.0;  // part of the path; above 1: there is none
  double weight[3]{};
};

// Whether both paths may meet at all: what the triangle sweeps, seen from the particle, has the particle in its box.
KOKKOS_INLINE_FUNCTION bool mayMeet(const MovingTriangle& t) {
  for (int axis = 0; axis < 3; ++axis) {
    double low = t.begin[0][axis], high = low;
    for (int corner = 0; corner < 3; ++corner) {
      const double a = t.begin[corner][axis], b = t.end[corner][axis];
      low = a < low ? a : low, low = b < low ? b : low;
      high = a > high ? a : high, high = b > high ? b : high;
    }
    if (low > 0.0 || high < 0.0) return false;
  }
  return true;
}

// s V(t) in Bernstein's form.
struct SideCubic {
  double of[4];  // at the ends; the middle ones times 3
  KOKKOS_INLINE_FUNCTION SideCubic(const MovingTriangle& t, double side) {
    const Vector *const a = t.begin, *const b = t.end;
    const auto volume = [&](const Vector& p, const Vector& q, const Vector& r) {
      return -side * inner(p, outer(q, r));
    };
    of[0] = volume(a[0], a[1], a[2]), of[3] = volume(b[0], b[1], b[2]);
    of[1] = volume(b[0], a[1], a[2]) + volume(a[0], b[1], a[2]) + volume(a[0], a[1], b[2]);
    of[2] = volume(a[0], b[1], b[2]) + volume(b[0], a[1], b[2]) + volume(b[0], b[1], a[2]);
  }
  KOKKOS_INLINE_FUNCTION bool neverNegative() const {
    return of[0] >= 0.0 && of[1] >= 0.0 && of[2] >= 0.0 && of[3] >= 0.0;
  }
  KOKKOS_INLINE_FUNCTION double operator()(double t) const {
    const double u = 1.0 - t;
    return u * u * (u * of[0] + t * of[1]) + t * t * (u * of[2] + t * of[3]);
  }
  // Where it turns: at most two times, in order; none: 2.
  KOKKOS_INLINE_FUNCTION void turns(double& first, double& second) const {
    const double c = of[1] - 3.0 * of[0], b = (of[2] - of[1]) - c,
                 a = (3.0 * of[3] - of[2]) - 2.0 * (of[2] - of[1]) + c;
    first = second = 2.0;  // c + 2 b t + a t^2 = 0
    const double square = b * b - a * c;
    if (!(square > 0.0)) return;
    const double z = b > 0.0 ? -b - ::sqrt(square) : -b + ::sqrt(square);
    const double one = z != 0.0 ? c / z : 2.0, other = a != 0.0 ? z / a : 2.0;
    const bool oneIs = one > 0.0 && one<1.0, otherIs = other> 0.0 && other < 1.0;
    if (oneIs) first = one;
    if (otherIs) (oneIs ? second : first) = other;
    if (second < first) {
      const double swapped = first;
      first = second, second = swapped;
    }
  }
};

// Part of an edge's length by which triangles overlap.
constexpr double overlapOfTriangles = 1e-7;

// The corners' weights where the particle is in the triangle's plane. False: it is not in the triangle.
KOKKOS_INLINE_FUNCTION bool weightsAt(const MovingTriangle& t, double time, double* weight) {
  const Vector a = t.at(0, time), b = t.at(1, time), c = t.at(2, time);
  const Vector n = outer(less(b, a), less(c, a));
  const double square = inner(n, n);
  if (!(square > 0.0)) return false;
  weight[0] = inner(outer(b, c), n) / square, weight[1] = inner(outer(c, a), n) / square;
  weight[2] = 1.0 - weight[0] - weight[1];
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    if (!(weight[k] >= -overlapOfTriangles)) return false;
    weight[k] = weight[k] > 0.0 ? weight[k] : 0.0;
    sum += weight[k];
  }
  for (int k = 0; k < 3; ++k) weight[k] /= sum;
  return true;
}

// The first crossing towards the wrong side, of what may meet. side: 1: the particle belongs outside; -1: inside.
KOKKOS_INLINE_FUNCTION Crossing firstCrossing(const MovingTriangle& t, double side) {
  Crossing none;
  const SideCubic volume(t, side);
  if (volume.neverNegative()) return none;
  double mark[4] = {0.0, 2.0, 2.0, 1.0};
  volume.turns(mark[1], mark[2]);
  for (int k = 0; k < 3; ++k) {
    double from = mark[k], to = mark[k + 1] < 1.0 ? mark[k + 1] : 1.0;
    if (!(from < to) || !(volume(from) >= 0.0) || !(volume(to) < 0.0)) continue;
    for (int halving = 0; halving < 50; ++halving) {
      const double middle = 0.5 * (from + to);
      (volume(middle) >= 0.0 ? from : to) = middle;
    }
    Crossing found;
    found.time = from;
    if (weightsAt(t, from, found.weight)) return found;
  }
  return none;
}

}  // namespace mesowarp::membrane
