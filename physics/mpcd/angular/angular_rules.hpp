// Collision rules that keep a cell's angular momentum (Noguchi, Kikuchi & Gompper, Europhys. Lett. 78 (2007) 10005;
// Noguchi & Gompper, Phys. Rev. E 78 (2008) 016706). With the places r_c relative to the particles' centre, and
// Omega[v] = I^-1 sum r_c x v how velocities v turn (rigid_motion.hpp):
//
//   rotation   v' = u + Omega[v] x r_c + xi ( R (v - u) - Omega[R (v - u)] x r_c )
//   Andersen   v' = u + Omega[v] x r_c + d - <d> - Omega[d] x r_c
//
// All means, I and E are weighted with masses, where species or what is embedded differ in mass.
// Momentum and angular momentum are in the first two terms, the others have none, so that xi may scale them: with E the
// energy of the rotated part, E' / k_BT has a gamma distribution of half of 3 N - 6 degrees of freedom (two particles:
// one). Without that scaling energy would not be conserved. As records: v' = w + xi R v + omega x r, or w + d + omega x
// r, r from the cell's corner; w is computed with what is rounded, as in collision_rules.hpp.
#pragma once

#include "physics/mpcd/angular/angular_sums.hpp"
#include "physics/mpcd/angular/rigid_motion.hpp"
#include "physics/mpcd/collision_rules.hpp"

namespace mesowarp::mpcd {

// Particles that are nearer to a line than so are taken as on it: records have too few digits for how fast they turn.
template <class Number>
inline constexpr double leastDeterminant = sizeof(Number) == 8 ? 1e-13 : 1e-6;

// Sums about the centre.
struct AboutCentre {
  double centre[3], velocity[3], places[6];
  template <class Sums>
  KOKKOS_INLINE_FUNCTION explicit AboutCentre(const Sums& sums) {
    const double n = sums.mass;
    for (int a = 0; a < 3; ++a) {
      centre[a] = sums.count > 0 ? math::divide(sums.r[a], n) : 0.0;
      velocity[a] = sums.count > 0 ? math::divide(sums.velocity[a], n) : 0.0;
    }
    for (int a = 0; a < 3; ++a) {
      const int b = a < 2 ? 0 : 1, c = a == 0 ? 1 : 2;
      places[a] = sums.rr[a] - centre[a] * sums.r[a], places[3 + a] = sums.rr[3 + a] - centre[b] * sums.r[c];
    }
  }
};

// w, omega: what is w for the record, omega rounded; r-independent part of it is taken off.
template <class Number>
KOKKOS_INLINE_FUNCTION void storeTurning(const double (&omega)[3], const double (&centre)[3], double (&w)[3],
                                         Number* to) {
  double rounded[3], shift[3];
  for (int a = 0; a < 3; ++a) to[a] = static_cast<Number>(omega[a]), rounded[a] = static_cast<double>(to[a]);
  crossProduct(rounded, centre, shift);
  for (int a = 0; a < 3; ++a) w[a] -= shift[a];
}

template <class Number, class Real>
KOKKOS_FORCEINLINE_FUNCTION void addTurning(Number (&velocity)[3], const double (&place)[3], Real x, Real y, Real z) {
  using math::fusedMultiplyAdd;
  const Real r[3] = {static_cast<Real>(place[0]), static_cast<Real>(place[1]), static_cast<Real>(place[2])};
  velocity[0] = static_cast<Number>(fusedMultiplyAdd(y, r[2], fusedMultiplyAdd(-z, r[1], Real(velocity[0]))));
  velocity[1] = static_cast<Number>(fusedMultiplyAdd(z, r[0], fusedMultiplyAdd(-x, r[2], Real(velocity[1]))));
  velocity[2] = static_cast<Number>(fusedMultiplyAdd(x, r[1], fusedMultiplyAdd(-y, r[0], Real(velocity[2]))));
}

// W: the form of cells' sums.
template <class P, class W = AngularWords<sizeof(typename P::Store) == 8, true, 9>>
struct AngularRotationRule {
  using Number = typename P::Store;
  using Real = typename P::Real;
  using Words = W;
  static constexpr int recordNumbers = 10, storedNumbers = 10;
  static constexpr bool noise = false, angular = true;
  RotationRule<P, true> plain;

  // Stored: of the solvent, or of what collides with it.
  template <class Stored, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void collide(Stored (&velocity)[3], const double (&place)[3],
                                           const Record& record) const {
    plain.collide(velocity, record);
    addTurning<Stored, Real>(velocity, place, record(7), record(8), record(9));
  }

  KOKKOS_INLINE_FUNCTION void record(const CellTask& task, const typename W::Cell& sums, u64 cell, Number* to) const {
    const AboutCentre about(sums);
    const RigidMotion motion(about.places, sums.count, leastDeterminant<Number>);
    double n[3], turn[3][3];
    directionOf(CellRandom(cell, task.axis).next(), n);
    for (int a = 0; a < 3; ++a) to[4 + a] = static_cast<Number>(n[a]), n[a] = to[4 + a];
    rotation(n, turn);
    // Angular momentum, and that of the rotated velocities: of sum r_b (R v)_c.
    double now[3], rotated[3], omegaNow[3], omegaRotated[3], g[3][3], h[3][3];
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c) g[b][c] = sums.rv[3 * b + c] - sums.r[b] * about.velocity[c];
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c) h[b][c] = turn[c][0] * g[b][0] + turn[c][1] * g[b][1] + turn[c][2] * g[b][2];
    momentum(g, now), momentum(h, rotated);
    motion.of(now, omegaNow), motion.of(rotated, omegaRotated);
    to[3] = static_cast<Number>(factor(task, sums, about, motion, rotated, omegaRotated, cell));
    const double xi = to[3];
    double omega[3], w[3];
    for (int a = 0; a < 3; ++a) {
      const double u = turn[a][0] * about.velocity[0] + turn[a][1] * about.velocity[1] + turn[a][2] * about.velocity[2];
      omega[a] = omegaNow[a] - xi * omegaRotated[a], w[a] = about.velocity[a] - xi * u;
    }
    storeTurning(omega, about.centre, w, to + 7);
    for (int a = 0; a < 3; ++a) to[a] = static_cast<Number>(w[a]);
  }

private:
  KOKKOS_INLINE_FUNCTION void rotation(const double (&n)[3], double (&turn)[3][3]) const {
    const double c = plain.rotation.cosine, k = plain.rotation.versine, s = plain.rotation.sine;
    for (int a = 0; a < 3; ++a) {
      const int b = a == 2 ? 0 : a + 1, d = a == 0 ? 2 : a - 1;
      turn[a][a] = c + k * n[a] * n[a];
      turn[a][b] = k * n[a] * n[b] - s * n[d], turn[a][d] = k * n[a] * n[d] + s * n[b];
    }
  }
  KOKKOS_INLINE_FUNCTION static void momentum(const double (&g)[3][3], double (&l)[3]) {
    l[0] = g[1][2] - g[2][1], l[1] = g[2][0] - g[0][2], l[2] = g[0][1] - g[1][0];
  }
  KOKKOS_INLINE_FUNCTION static double factor(const CellTask& task, const CellSums& sums, const AboutCentre& about,
                                              const RigidMotion& motion, const double (&rotated)[3],
                                              const double (&omega)[3], u64 cell) {
    if (sums.count < 2) return 0.0;
    const double(&u)[3] = about.velocity;
    const double rigid = rotated[0] * omega[0] + rotated[1] * omega[1] + rotated[2] * omega[2];
    const double now = 0.5 * (sums.squared - sums.mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) - rigid);
    if (!(now > 1e-4 * task.temperature)) return 1.0;  // no direction to scale
    CellRandom random(cell, task.energy);
    const int freedom = 3 * sums.count - 3 - motion.freedom();
    double then = 0.0;
    if (freedom > 1) {
      then = task.temperature * gammaNumber(random, 0.5 * freedom);
    } else {
      const double x = gaussian<double, math::Portable>(random.next());
      then = 0.5 * task.temperature * x * x;
    }
    return math::Portable::squareRootPositive(then * math::Portable::reciprocal(now));
  }
};

template <class P, class W = AngularWords<sizeof(typename P::Store) == 8, false, 3>>
struct AngularAndersenRule {
  using Number = typename P::Store;
  using Real = typename P::Real;
  using Words = W;
  static constexpr int recordNumbers = 6, storedNumbers = 6;
  static constexpr bool noise = true, angular = true;
  StepKey key;    // of the noise of the next collision
  Number spread;  // sqrt(k_BT / m), of the first species

  // Stored: of the solvent, or of what collides with it.
  template <class Stored, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void collide(Stored (&velocity)[3], const double (&place)[3],
                                           const Record& record) const {
    for (int a = 0; a < 3; ++a) velocity[a] = static_cast<Stored>(Real(velocity[a]) + Real(record(a)));
    addTurning<Stored, Real>(velocity, place, record(3), record(4), record(5));
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw(u32 tag, Number (&d)[3]) const { AndersenRule<P>{key, spread}.draw(tag, d); }
  // Sums are of v - d.
  KOKKOS_INLINE_FUNCTION void record(const CellTask&, const typename W::Cell& sums, u64, Number* to) const {
    const AboutCentre about(sums);
    double w[3], moved[3], momentum[3], omega[3];
    crossProduct(about.centre, sums.velocity, moved);
    for (int a = 0; a < 3; ++a) w[a] = about.velocity[a], momentum[a] = sums.rv[a] - moved[a];
    RigidMotion(about.places, sums.count, leastDeterminant<Number>).of(momentum, omega);
    storeTurning(omega, about.centre, w, to + 3);
    for (int a = 0; a < 3; ++a) to[a] = static_cast<Number>(w[a]);
  }
};

}  // namespace mesowarp::mpcd
