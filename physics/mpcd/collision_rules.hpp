// Collision rules: what a cell keeps of its sums for its particles (a record), and what a particle makes of it.
//
// Stochastic rotation (Malevanets & Kapral 1999; MPCD paper, Eq. 2), with a thermostat or none: with the cell's mean
// velocity u, a random axis n, the rotation R about it by the angle alpha, and the thermostat's factor xi,
//   v' = u + xi R (v - u) = w + xi R v,   w = u - xi R u,
//   R v = c v + (1 - c) (n v) n + s n x v,   c = cos alpha, s = sin alpha.
// w is computed in double precision, with the n, c, s and xi that particles will use, as they are rounded: so what a
// cell's momentum loses is what the rounding of w and of its particles' velocities does, neither with a preferred sign.
//
// Thermostat (Maxwell-Boltzmann scaling, Huang et al. 2015; MPCD paper, Eq. 3): xi^2 = E' / E; E is the kinetic energy
// in the frame of u, E' / k_BT has a gamma distribution of shape 3 (N - 1) / 2. Cells of one particle have xi = 1.
//
// Andersen (MPCD paper, Eq. 4): v' = u + d - <d>, d normal with variance k_BT / m, keyed by tag and step. Since d is
// known as soon as the step is, particles add v - d to their cell, and the record is w = u - <d>: one sum, one pass.
// Until the collision is done a particle's velocity has no further use, so d is stored in its place.
#pragma once

#include "kernels/bricks/brick_grid.hpp"
#include "kernels/bricks/cell_records.hpp"
#include "physics/mpcd/cell_random.hpp"
#include "physics/mpcd/sum_words.hpp"

namespace mesowarp::mpcd {

// A cell's kinetic energy, in k_BT, in its own frame: of a shape of half of its degrees of freedom.
struct EnergyOfCell {
  static constexpr bool mayWait = true;  // not asked for where nobody wants it
  KOKKOS_INLINE_FUNCTION double operator()(u64 cell, StepKey key, double shape) const {
    CellRandom random(cell, key);
    return gammaNumber(random, shape);
  }
};
// The same by a first try alone, without a branch: for a CPU's vectors (record_group.hpp).
struct FirstEnergyOfCell {
  static constexpr bool mayWait = false;
  bool& sure;  // false: ask for it again, of EnergyOfCell
  double operator()(u64 cell, StepKey key, double shape) const {
    CellRandom random(cell, key);
    GammaTry attempt(shape);
    const double number = attempt.next(random);
    sure = attempt.surely();
    return number;
  }
};

// c^2 + s^2 = 1 and 1 - c within Real's accuracy and better: what it is off, energy would drift by in each step.
template <class Real>
struct Rotation {
  Real cosine, versine, sine;  // cos, 1 - cos, sin
  static Rotation of(double angle);
};

struct CellTask {
  SumScale scale;
  StepKey axis, energy;
  double temperature;  // k_BT / m, of the first species
};

// sum / mass, inverse being about 1 / mass. In double precision rounded as a division is: an error that is the same for
// all cells of so many particles would slow a flow, by 1e-17 of it in a collision.
template <class Number>
KOKKOS_INLINE_FUNCTION double meanVelocity(double sum, double mass, double inverse) {
  const double mean = sum * inverse;
  if constexpr (sizeof(Number) < 8) return mean;
  return math::fusedMultiplyAdd(math::fusedMultiplyAdd(-mean, mass, sum), inverse, mean);
}

// W: the form of cells' sums.
// Derives: axes are not stored with what a cell keeps, but found anew by who loads it, as a GPU's blocks do for their
// windows. In 64-bit storage that is 3% faster, since these blocks wait for memory; in 32-bit storage it is nothing,
// and 10% slower where there are few (perf/log/mpcd.md).
template <class P, bool Thermostat, class W = SumWords<sizeof(typename P::Store) == 8, Thermostat>,
          bool Derives = backend::onGpu && sizeof(typename P::Store) == 8>
struct RotationRule {
  using Number = typename P::Store;
  using Real = typename P::Real;
  using Words = W;
  // w, xi if there is a thermostat, n; stored of it.
  static constexpr int kept = Thermostat ? 4 : 3, recordNumbers = kept + 3,
                       storedNumbers = Derives ? kept : recordNumbers;
  static constexpr bool noise = false, angular = false;
  Rotation<Real> rotation;
  StepKey axis{};  // of the records' step; where it derives

  // Stored: of the solvent, or of what collides with it.
  template <class Stored, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void collide(Stored (&velocity)[3], const Record& record) const {
    using math::fusedMultiplyAdd;
    const Real v[3] = {Real(velocity[0]), Real(velocity[1]), Real(velocity[2])},
               n[3] = {record(kept), record(kept + 1), record(kept + 2)};
    Real c = rotation.cosine, k = rotation.versine, s = rotation.sine;
    if constexpr (Thermostat) {
      const Real xi = record(3);
      c *= xi, k *= xi, s *= xi;
    }
    const Real along = k * fusedMultiplyAdd(n[2], v[2], fusedMultiplyAdd(n[1], v[1], n[0] * v[0]));
    for (int a = 0; a < 3; ++a) {
      const int b = a == 2 ? 0 : a + 1, d = a == 0 ? 2 : a - 1;
      const Real cross = fusedMultiplyAdd(n[b], v[d], -(n[d] * v[b]));
      velocity[a] = static_cast<Stored>(
          fusedMultiplyAdd(s, cross, fusedMultiplyAdd(along, n[a], fusedMultiplyAdd(c, v[a], Real(record(a))))));
    }
  }

  KOKKOS_INLINE_FUNCTION void record(const CellTask& task, const CellSums& sums, u64 cell, Number* to) const {
    record(task, sums, cell, EnergyOfCell{}, to);
  }
  // energyOf: the thermostat's.
  template <class EnergyOf>
  KOKKOS_FORCEINLINE_FUNCTION void record(const CellTask& task, const CellSums& sums, u64 cell,
                                          const EnergyOf& energyOf, Number* to) const {
    double u[3], n[3];
    const double inverse = sums.count > 0 ? math::Portable::reciprocal(sums.mass) : 0.0;
    for (int a = 0; a < 3; ++a) u[a] = meanVelocity<Number>(sums.velocity[a], sums.mass, inverse);
    directionOf(CellRandom(cell, task.axis).next(), n);
    double xi = 1.0;
    if constexpr (Thermostat)
      xi = static_cast<Number>(factor(task, sums, u, cell, energyOf)), to[3] = static_cast<Number>(xi);
    for (int a = 0; a < 3; ++a) n[a] = static_cast<Number>(n[a]), to[kept + a] = static_cast<Number>(n[a]);
    const double c = rotation.cosine, k = rotation.versine, s = rotation.sine;
    const double along = k * (n[0] * u[0] + n[1] * u[1] + n[2] * u[2]);
    for (int a = 0; a < 3; ++a) {
      const int b = a == 2 ? 0 : a + 1, d = a == 0 ? 2 : a - 1;
      to[a] = static_cast<Number>(u[a] - xi * (c * u[a] + along * n[a] + s * (n[b] * u[d] - n[d] * u[b])));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void complete(u64 cell, Record<Number, recordNumbers>& record) const {
    double n[3];
    directionOf(CellRandom(cell, axis).next(), n);
    for (int a = 0; a < 3; ++a) record.number[kept + a] = static_cast<Number>(n[a]);
  }

private:
  template <class EnergyOf>
  KOKKOS_FORCEINLINE_FUNCTION static double factor(const CellTask& task, const CellSums& sums, const double (&u)[3],
                                                   u64 cell, const EnergyOf& energyOf) {
    if (EnergyOf::mayWait && sums.count < 2) return 1.0;
    const double now = 0.5 * (sums.squared - sums.mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
    const bool scales = sums.count >= 2 && now > 1e-4 * task.temperature;  // else there is no direction to scale
    if (EnergyOf::mayWait && !scales) return 1.0;
    const double then = task.temperature * energyOf(cell, task.energy, 1.5 * ((scales ? sums.count : 2) - 1));
    const double xi = math::Portable::squareRootPositive(then * math::Portable::reciprocal(now));
    return scales ? xi : 1.0;
  }
};

template <class P, class W = SumWords<sizeof(typename P::Store) == 8, false>>
struct AndersenRule {
  using Number = typename P::Store;
  using Real = typename P::Real;
  using Words = W;
  static constexpr int recordNumbers = 3, storedNumbers = 3;
  static constexpr bool noise = true, angular = false;
  StepKey key;    // of the noise of the next collision
  Number spread;  // sqrt(k_BT / m), of the first species

  // Stored: of the solvent, or of what collides with it.
  template <class Stored, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void collide(Stored (&velocity)[3], const Record& record) const {
    for (int a = 0; a < 3; ++a) velocity[a] = static_cast<Stored>(Real(velocity[a]) + Real(record(a)));
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw(u32 tag, Number (&d)[3]) const {
    normalNumbers(tag, key, d);
    for (int a = 0; a < 3; ++a) d[a] *= spread;
  }
  KOKKOS_INLINE_FUNCTION void record(const CellTask& task, const CellSums& sums, u64 cell, Number* to) const {
    record(task, sums, cell, EnergyOfCell{}, to);
  }
  template <class EnergyOf>
  KOKKOS_FORCEINLINE_FUNCTION void record(const CellTask&, const CellSums& sums, u64, const EnergyOf&,
                                          Number* to) const {
    const double inverse = sums.count > 0 ? math::Portable::reciprocal(sums.mass) : 0.0;
    for (int a = 0; a < 3; ++a) to[a] = static_cast<Number>(meanVelocity<Number>(sums.velocity[a], sums.mass, inverse));
  }
};

// What particles of a cell need of it. Cell: CellAt, or an index.
template <class Rule, class Records, class Cell>
KOKKOS_FORCEINLINE_FUNCTION auto recordOf(const Rule& rule, const BrickGrid& grid, const Records& records,
                                          const Cell& cell) {
  const auto stored = records.load(cell);
  if constexpr (Rule::storedNumbers == Rule::recordNumbers) {
    return stored;
  } else {
    Record<typename Rule::Number, Rule::recordNumbers> record{};
    for (int k = 0; k < Rule::storedNumbers; ++k) record.number[k] = stored(k);
    rule.complete(grid.global(cell), record);
    return record;
  }
}

}  // namespace mesowarp::mpcd
