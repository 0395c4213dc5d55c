// Elastic impacts of a particle on triangles, one after the other in a step (bounce_off.hpp). At the corners' weights
// w_i the triangle has the velocity u = sum w_i u_i and, as a body, the mass M, 1/M = sum w_i^2 / m_i. As with a wall
// that does not slip, the velocity v - u turns round,
//
//   v' = v - 2 mu (v - u) / m,  u_i' = u_i + 2 mu w_i (v - u) / m_i,  1/mu = 1/m + 1/M,
//
// which keeps momentum and energy of the particle and the three vertices. What it has given to a vertex counts when it
// hits it again: without that a particle between two triangles of a vertex, and it, made each other faster by a fifth
// in a step, until the membrane burst.
//
// Several particles that hit a vertex in the same step do not know of each other, and each turns round all of its
// velocity: two of them give it twice what would turn it, so a vertex in a fold with fluid on both sides became faster
// each step. Impacts faster than any that heat makes, (v - u)^2 > 64 k_B T / mu, therefore hand over a quarter of that
// momentum, which loses energy: with the usual masses up to five at once cannot make a vertex faster then.
#pragma once

#include "physics/membrane/sides/crossing.hpp"

namespace mesowarp::membrane {

// What is hit: its corners among particles and ghosts, their weights, 1 / mass, and velocities at the begin of the
// step.
struct Target {
  int corner[3];
  double weight[3], inverseMass[3];
  Vector velocity[3];
};

template <int MostImpacts>
class Impacts {
public:
  // hottest: k_B T of the run, at most; infinite: all are elastic.
  KOKKOS_INLINE_FUNCTION explicit Impacts(double hottest) : fastest2_(64.0 * hottest) {}
  // normal: of length 1, to the particle's side; v: its velocity, perMass: 1 / its mass. False: it leaves already, from
  // a wall, say. impulse: on each corner.
  KOKKOS_INLINE_FUNCTION bool hit(const Target& target, const Vector& normal, double perMass, Vector& v,
                                  Vector (&impulse)[3]) {
    Vector g = v;
    double all = perMass;
    for (int c = 0; c < 3; ++c) {
      const double w = target.weight[c];
      g = less(g, scaled(w, plus(target.velocity[c], given(target.corner[c]))));
      all += w * w * target.inverseMass[c];
    }
    if (!(inner(g, normal) < 0.0)) return false;
    const double times = (inner(g, g) > fastest2_ * all ? 0.5 : 2.0) / all;  // of mu
    for (int c = 0; c < 3; ++c) {
      impulse[c] = scaled(times * target.weight[c], g);
      if (number_ < most)
        corner_[number_] = target.corner[c], gave_[number_++] = scaled(target.inverseMass[c], impulse[c]);
    }
    v = less(v, scaled(times * perMass, g));
    return true;
  }
  // What the vertex has got, velocity.
  KOKKOS_INLINE_FUNCTION Vector given(int corner) const {
    Vector all{};
    for (int k = 0; k < number_; ++k)
      if (corner_[k] == corner) all = plus(all, gave_[k]);
    return all;
  }

private:
  static constexpr int most = 3 * MostImpacts;
  double fastest2_;  // (v - u)^2 mu of an elastic one, at most
  int corner_[most];
  Vector gave_[most];
  int number_ = 0;
};

}  // namespace mesowarp::membrane
