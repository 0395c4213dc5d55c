// The forces on one vertex from the triangles and edges round it (red-cell paper, Eqs. 13 to 19):
//
//   springs     U(l) of each edge (spring.hpp), friction and noise along it
//   area        k_g (A - A0)^2 / (2 A0) of the cell, k_l (a - a0)^2 / (2 a0) of each triangle
//   volume      k_v (V - V0)^2 / (2 V0) of the cell
//   bending     k_b (1 - cos(theta - theta0)) of each edge, theta between its two triangles' outward normals, positive
//               where the surface is convex
//
// The vertex is the origin. Triangle k is (here, ring[k], ring[k + 1]), counter-clockwise seen from outside, with
// N_k = d_k x d_(k+1), twice its area. Gradients with respect to the vertex:
//   of the area (d_k - d_(k+1)) x N_k / (2 |N_k|);  of the cell's volume the sum of N_k / 6;
//   of theta at a far edge e, from ring[k] to ring[k + 1], -N_k |e| / |N_k|^2; at a near edge what translations leave
//   of the gradients at the two corners beside it. No angle is computed: sin(theta - theta0) follows from the normals.
#pragma once

#include "core/types.hpp"
#include "kernels/pairs/pair_force.hpp"
#include "physics/membrane/model/spring.hpp"

namespace mesowarp::membrane {

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> crossOf(const Vec3<Real>& a, const Vec3<Real>& b) {
  using math::fusedMultiplyAdd;
  return {fusedMultiplyAdd(a.y, b.z, -(a.z * b.y)), fusedMultiplyAdd(a.z, b.x, -(a.x * b.z)),
          fusedMultiplyAdd(a.x, b.y, -(a.y * b.x))};
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> minus(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void addTimes(Vec3<Real>& sum, Real s, const Vec3<Real>& a) {
  using math::fusedMultiplyAdd;
  sum = {fusedMultiplyAdd(s, a.x, sum.x), fusedMultiplyAdd(s, a.y, sum.y), fusedMultiplyAdd(s, a.z, sum.z)};
}

// What all cells of a population share, times the sums' scale.
template <class Real>
struct Elasticity {
  SpringLaw<Real> spring;
  Real localArea = 0, bending = 0;          // k_l, k_b
  Real cosine = 1, sine = 0;                // of theta0, unless the slots have their own
  Real frictionAll = 0, frictionAlong = 0;  // gamma^T, gamma^C
  Real noiseAll = 0, noiseAlong = 0;  // sqrt(2 k_BT gamma^T / dt), sqrt(2 k_BT (gamma^T + gamma^C) / dt) less that
};

// Of one neighbour of a vertex in the mesh at rest.
template <class Real>
struct Rest {
  Real length, area;        // of the edge to ring[k], of triangle k
  Real cosine, sine;        // of theta0 at the edge to ring[k]
  Real farCosine, farSine;  // and at the edge from ring[k] to ring[k + 1]
};

// Of a cell, now: k_g (A - A0) / A0, k_v (V - V0) / (6 V0).
template <class Real>
struct CellTerms {
  Real area = 0, volume = 0;
};

template <class Real>
struct VertexSum {
  Vec3<Real> force;
  Real energy = 0;  // half of its edges', a third of its triangles'
  bool broken = false;
};

// One hinge: sin(theta - theta0), and 1 - cos(theta - theta0). left, right: unit normals; along: the edge, of length 1,
// which has `left` on its left seen from outside.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void hinge(const Vec3<Real>& left, const Vec3<Real>& right, const Vec3<Real>& along,
                                       Real cosine, Real sine, Real& turned, Real& lost) {
  const Real c = dot(left, right, Real(0)), s = dot(crossOf(left, right), along, Real(0));
  turned = math::fusedMultiplyAdd(s, cosine, -(c * sine));
  lost = Real(1) - math::fusedMultiplyAdd(c, cosine, s * sine);
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> times(Real s, const Vec3<Real>& a) {
  return {s * a.x, s * a.y, s * a.z};
}

// around: number of neighbours; ringAt(k), beyondAt(k): places relative to the vertex; rest(k): a Rest<Real>;
// viscous(k, unit vector from ring[k], sum): adds friction and noise of an edge.
template <class Math, class Real, class Ring, class Beyond, class RestOf, class Viscous>
KOKKOS_INLINE_FUNCTION VertexSum<Real> vertexTerms(const Elasticity<Real>& elastic, const CellTerms<Real>& cell,
                                                   int around, const Ring& ringAt, const Beyond& beyondAt,
                                                   const RestOf& rest, const Viscous& viscous) {
  using math::fusedMultiplyAdd, math::larger;
  const Real tiny(1e-30);
  VertexSum<Real> sum{};
  Vec3<Real> before = ringAt(around - 1), here = ringAt(0);
  Vec3<Real> normal = crossOf(before, here);
  Real inverse = Math::inverseSquareRoot(larger(dot(normal, normal, Real(0)), tiny));  // 1 / |N|
  Vec3<Real> unit = times(inverse, normal);
  for (int k = 0; k < around; ++k) {
    const Vec3<Real> next = ringAt(k + 1 < around ? k + 1 : 0);
    const Rest<Real> at = rest(k);
    // The edge to ring[k].
    const Real l2 = larger(dot(here, here, Real(0)), tiny), inverseL = Math::inverseSquareRoot(l2), l = l2 * inverseL;
    const Real stretch = Math::quotient(l, at.length);
    if (!(elastic.spring.ratio * stretch < Real(1))) {
      sum.broken = true;
      return sum;
    }
    Real pull, energy;
    springOf<Math>(elastic.spring, stretch, pull, energy);
    addTimes(sum.force, elastic.spring.c * at.length * pull * inverseL, here);
    sum.energy = fusedMultiplyAdd(Real(0.5) * elastic.spring.c * at.length * at.length, energy, sum.energy);
    viscous(k, times(-inverseL, here), sum.force);
    // The triangle behind it.
    const Vec3<Real> ahead = crossOf(here, next);
    const Real n2 = larger(dot(ahead, ahead, Real(0)), tiny), inverseAhead = Math::inverseSquareRoot(n2);
    const Vec3<Real> unitAhead = times(inverseAhead, ahead);
    const Real area = Real(0.5) * n2 * inverseAhead, strain = Math::quotient(area - at.area, at.area);
    const Vec3<Real> far = minus(next, here);
    addTimes(sum.force, Real(0.5) * fusedMultiplyAdd(elastic.localArea, strain, cell.area), crossOf(far, unitAhead));
    addTimes(sum.force, -cell.volume, ahead);
    sum.energy = fusedMultiplyAdd(Real(1.0 / 6.0) * elastic.localArea * at.area, strain * strain, sum.energy);
    // Bending at the edge to ring[k]: the triangle behind it is on its left.
    Real turned, lost;
    hinge(unitAhead, unit, times(inverseL, here), at.cosine, at.sine, turned, lost);
    const Real leftArm = (l2 - dot(next, here, Real(0))) * inverseL,
               rightArm = (l2 - dot(before, here, Real(0))) * inverseL;
    addTimes(sum.force, -elastic.bending * turned * leftArm * inverseAhead, unitAhead);
    addTimes(sum.force, -elastic.bending * turned * rightArm * inverse, unit);
    sum.energy = fusedMultiplyAdd(Real(0.5) * elastic.bending, lost, sum.energy);
    // And at the edge from ring[k] to ring[k + 1].
    const Real far2 = larger(dot(far, far, Real(0)), tiny), inverseFar = Math::inverseSquareRoot(far2);
    const Vec3<Real> other = crossOf(minus(beyondAt(k), next), far);
    const Real inverseOther = Math::inverseSquareRoot(larger(dot(other, other, Real(0)), tiny));
    hinge(unitAhead, times(inverseOther, other), times(inverseFar, far), at.farCosine, at.farSine, turned, lost);
    addTimes(sum.force, elastic.bending * turned * far2 * inverseFar * inverseAhead, unitAhead);
    before = here, here = next, unit = unitAhead, inverse = inverseAhead;
  }
  return sum;
}

// A vertex' share of its cell's area and volume: a third of its triangles', and place . (sum of N_k) / 18, where
// `place` counts from any point that all of the cell's vertices count from.
template <class Real>
struct CellShare {
  Real area = 0, volume = 0;
};
template <class Math, class Real, class Ring>
KOKKOS_INLINE_FUNCTION CellShare<Real> shareOf(const Vec3<Real>& place, int around, const Ring& ringAt) {
  Real doubled = 0;
  Vec3<Real> normals{}, here = ringAt(0);
  const Vec3<Real> first = here;
  for (int k = 0; k < around; ++k) {
    const Vec3<Real> next = k + 1 < around ? ringAt(k + 1) : first, normal = crossOf(here, next);
    const Real n2 = math::larger(dot(normal, normal, Real(0)), Real(1e-30));
    doubled = math::fusedMultiplyAdd(n2, Math::inverseSquareRoot(n2), doubled);
    normals = {normals.x + normal.x, normals.y + normal.y, normals.z + normal.z};
    here = next;
  }
  return {Real(1.0 / 6.0) * doubled, Real(1.0 / 18.0) * dot(place, normals, Real(0))};
}

}  // namespace mesowarp::membrane
