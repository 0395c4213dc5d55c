// Particles embedded in the solvent, at the end of their own step: each adds itself to its collision cell; then, when
// the cells' records are made, takes its collision from its cell's, as a solvent particle does (collision_rules.hpp).
// Between the two, in Andersen collisions, its velocity is the noise, as the solvent's is.
#pragma once

#include "core/box.hpp"
#include "kernels/bricks/brick_grid.hpp"
#include "physics/mpcd/cell_random.hpp"
#include "physics/mpcd/solutes/guest_sums.hpp"
#include "physics/mpcd/solvent_pass.hpp"

namespace mesowarp::mpcd {

// Of a species.
struct SoluteSpecies {
  double mass = 0.0;    // in those of a solvent particle; 0: it is not embedded
  double spread = 0.0;  // sqrt(k_BT / m)
};

template <class P>
struct SoluteArrays {
  using Real = typename P::Real;
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<Real>> velocity;                           // v_k, of the full step
  DeviceArray<u32> tag;
  DeviceArray<SoluteSpecies> species;

  KOKKOS_INLINE_FUNCTION SoluteSpecies speciesOf(int i) const { return species(pairVelocity(i).species); }
  // False: this rank does not have its cell.
  KOKKOS_INLINE_FUNCTION bool cellOf(int i, const BrickGrid& grid, const GridShift& shift, int& cell) const {
    const auto p = position(i);
    const u32 leading[3] = {leading32(p.x), leading32(p.y), leading32(p.z)};
    int at[3];
    for (int a = 0; a < 3; ++a) at[a] = grid.local(a, leading[a] + shift.of[a]);
    cell = grid.index(at);
    return grid.has(at);
  }
  KOKKOS_INLINE_FUNCTION void placeOf(int i, const BrickGrid& grid, const GridShift& shift, double (&r)[3]) const {
    const auto p = position(i);
    const typename P::Coord x[3] = {p.x, p.y, p.z};
    placeInCell(x, grid, shift, r);
  }
};

template <class P, bool Angular>
struct AddSolutes {
  using Real = typename P::Real;
  SoluteArrays<P> solutes;
  BrickGrid grid;
  GridShift shift;
  GuestSumsOf<Angular> guests;
  StepKey key;
  bool noise;
  int* mishap;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const SoluteSpecies species = solutes.speciesOf(i);
    if (!(species.mass > 0.0)) return;
    int cell;
    if (!solutes.cellOf(i, grid, shift, cell)) {
      mishap[guestLost] = 1;
      return;
    }
    const Vec3<Real> own = solutes.velocity(i);
    double v[3] = {static_cast<double>(own.x), static_cast<double>(own.y), static_cast<double>(own.z)};
    const double limit = guests.scale.speedLimit, squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    bool slow = squared <= limit * limit;
    if (noise) {
      Real d[3];
      normalNumbers(solutes.tag(i), key, d);
      for (int a = 0; a < 3; ++a) {
        d[a] *= static_cast<Real>(species.spread);
        v[a] -= static_cast<double>(d[a]);
        slow = slow && v[a] <= limit && v[a] >= -limit;
      }
      solutes.velocity(i) = {d[0], d[1], d[2]};
    }
    double r[3] = {};
    if constexpr (Angular) solutes.placeOf(i, grid, shift, r);
    if (slow)
      guests.add(cell, species.mass, v, squared, r);
    else
      mishap[guestTooFast] = 1;
  }
};

template <class P, class Rule>
struct CollideSolutes {
  using Real = typename P::Real;
  using Number = typename P::Store;
  SoluteArrays<P> solutes;
  BrickGrid grid;
  GridShift shift;
  Rule rule;
  CellRecords<Number, Rule::storedNumbers> records;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    int cell;
    if (!(solutes.speciesOf(i).mass > 0.0) || !solutes.cellOf(i, grid, shift, cell)) return;
    const Vec3<Real> own = solutes.velocity(i);
    Real v[3] = {own.x, own.y, own.z};
    const auto record = recordOf(rule, grid, records, cell);
    if constexpr (Rule::angular) {
      double r[3];
      solutes.placeOf(i, grid, shift, r);
      rule.collide(v, r, record);
    } else {
      rule.collide(v, record);
    }
    solutes.velocity(i) = {v[0], v[1], v[2]};
  }
};

}  // namespace mesowarp::mpcd
