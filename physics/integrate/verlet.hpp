// Velocity Verlet and Groot & Warren's modified scheme, as the epilogue of the last pair force: second half-kick of
// this step, first half-kick of the next, drift, walls and the signature of the next step, in one pass.
//
//   v_k = v_{k-1/2} + dt/2 f_k/m,  v_{k+1/2} = v_k + dt/2 f_k/m,  x_{k+1} = x_k + dt v_{k+1/2}
//
// Pair forces of step k+1 read the predicted velocity v_{k+1/2} + (lambda - 1/2) dt f_k/m, which is Groot & Warren's
// v_k + lambda dt f_k/m (J. Chem. Phys. 107, 4423 (1997), Eq. 13); lambda = 1/2 is velocity Verlet.
//
// What becomes of a particle in that pass, by the thread that has summed its pairs:
//
//   pairs of i -> f_k -> closing half-kick (v_k) -> [observe v_k, f_k] -> opening half-kick -> drift, walls
//              -> signature of step k+1 -> has it left its half skin?
//
// The kernel reads the current buffers and writes the next ones (state/particles.hpp), so no thread reads what another
// writes. Where a phase stands between the closing and the opening of a step, close() and open() do the same in two
// kernels, with the same operations.
#pragma once

#include "core/sums.hpp"
#include "kernels/pairs/step_context.hpp"
#include "state/particles.hpp"

namespace mesowarp {

// Mover: how a coordinate takes a displacement (physics/boundary/walls.hpp); Drives: physics/integrate/drive.hpp.
template <class P, class Mover, class DrivesT>
struct VerletEpilogue {
  using Coord = typename P::Coord;
  using Store = typename P::Store;
  using Real = typename P::Real;

  StateView<P> old, next;
  DeviceArray<u32> tag;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<Vec3<Real>> observedVelocity;  // v_k; empty: not wanted
  DeviceArray<Vec3<Real>> observedForce;     // f_k; empty: not wanted
  DeviceArray<Real> mass, inverseMass;       // of each species; inverse 0: it is frozen, and keeps place and velocity
  SumGrid grid;
  Mover mover;
  DrivesT drives;
  Real closing;       // dt/2; 0 in step 0, whose velocity needs no closing half-kick
  Real half;          // dt/2
  Real timestep;      // dt
  Real predictor;     // (lambda - 1/2) dt
  Ticks<Real> tick;   // length of one tick of a pair coordinate
  Real largestStep2;  // a displacement beyond this in one step is an error, length^2
  Real halfSkin2;     // (skin/2)^2; negative: displacements are not watched
  StepKey nextKey;
  i64 step;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;
  Kokkos::View<i64, backend::SharedSpace> moved;
  i64* staleFrom;  // where kernels of later steps look (StepGuard); null: the host does before it launches them

  static constexpr bool last = true;
  using Prepared = u32;  // the signature of the next step
  KOKKOS_FORCEINLINE_FUNCTION Prepared prepare(int i) const { return prepared(tag(i)); }
  template <class Keys>
  KOKKOS_FORCEINLINE_FUNCTION Keys prepared(Keys tags) const {
    return signatures(tags, nextKey);
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, Vec3<Real> f, Prepared nextSignature) const {
    advance(i, f, nextSignature);
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, Vec3<Real> f, Prepared nextSignature, ThermoSums& sums) const {
    addMotion(i, advance(i, f, nextSignature), sums);
  }

  // The two halves of the same, where something stands between them: v_k and f_k (with drives) lie in the observed
  // arrays meanwhile.
  KOKKOS_FORCEINLINE_FUNCTION void close(int i, Vec3<Real> f) const {
    const auto pairVelocity = old.velocity(i);
    addDrives(old.position(i), pairVelocity.species, f);
    const Real perMass = inverseMass(pairVelocity.species);
    observedVelocity(i) = closedVelocity(i, pairVelocity, {f.x * perMass, f.y * perMass, f.z * perMass});
    observedForce(i) = f;
  }
  KOKKOS_FORCEINLINE_FUNCTION void open(int i, Prepared nextSignature) const {
    const u32 species = old.velocity(i).species;
    const Real perMass = inverseMass(species);
    const Vec3<Real> f = observedForce(i), a{f.x * perMass, f.y * perMass, f.z * perMass};
    openFrom(i, old.position(i), species, observedVelocity(i), a, stepOf(perMass), nextSignature);
  }
  KOKKOS_FORCEINLINE_FUNCTION void open(int i, Prepared nextSignature, ThermoSums& sums) const {
    addMotion(i, observedVelocity(i), sums);
    open(i, nextSignature);
  }

private:
  // Frozen species have no part in the temperature, nor in the momentum.
  KOKKOS_FORCEINLINE_FUNCTION void addMotion(int i, const Vec3<Real>& v, ThermoSums& sums) const {
    const u32 species = old.velocity(i).species;
    if (!(inverseMass(species) > Real(0))) return;
    const double m = static_cast<double>(mass(species));
    const double x = static_cast<double>(v.x), y = static_cast<double>(v.y), z = static_cast<double>(v.z);
    sums.kinetic[0] += grid(m * x * x), sums.kinetic[1] += grid(m * y * y), sums.kinetic[2] += grid(m * z * z);
    sums.kinetic[3] += grid(m * x * y), sums.kinetic[4] += grid(m * x * z), sums.kinetic[5] += grid(m * y * z);
    sums.momentum[0] += grid(m * x), sums.momentum[1] += grid(m * y), sums.momentum[2] += grid(m * z);
  }

  KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> halfStepVelocity(int i, const PairVelocity<Store>& v) const {
    if (old.velocityLow.data() == nullptr) return {Real(v.x), Real(v.y), Real(v.z)};
    const Vec3<Store> low = old.velocityLow(i);
    Vec3<Real> full{Real(v.x) + Real(low.x), Real(v.y) + Real(low.y), Real(v.z) + Real(low.z)};
    if (old.velocityRest.data() != nullptr) {
      const Vec3<Store> rest = old.velocityRest(i);
      full.x += Real(rest.x), full.y += Real(rest.y), full.z += Real(rest.z);
    }
    return full;
  }

  // Returns v_k.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> advance(int i, Vec3<Real> f, u32 nextSignature) const {
    const auto position = old.position(i);
    const auto pairVelocity = old.velocity(i);
    addDrives(position, pairVelocity.species, f);
    const Real perMass = inverseMass(pairVelocity.species);
    const Vec3<Real> a{f.x * perMass, f.y * perMass, f.z * perMass};
    const Vec3<Real> v = closedVelocity(i, pairVelocity, a);
    if (observedVelocity.data() != nullptr) observedVelocity(i) = v;
    if (observedForce.data() != nullptr) observedForce(i) = f;
    openFrom(i, position, pairVelocity.species, v, a, stepOf(perMass), nextSignature);
    return v;
  }

  KOKKOS_FORCEINLINE_FUNCTION void addDrives(const PairPosition<Coord>& position, u32 species, Vec3<Real>& f) const {
    const Real m = mass(species);
    const Vec3<Real> g = drives.at(Vec3<Coord>{position.x, position.y, position.z});
    f.x += m * g.x, f.y += m * g.y, f.z += m * g.z;
  }
  // 0 for frozen species, which stay where they are.
  KOKKOS_FORCEINLINE_FUNCTION Real stepOf(Real perMass) const { return perMass > Real(0) ? timestep : Real(0); }
  KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> closedVelocity(int i, const PairVelocity<Store>& halfStep,
                                                        const Vec3<Real>& a) const {
    Vec3<Real> v = halfStepVelocity(i, halfStep);
    v.x += closing * a.x, v.y += closing * a.y, v.z += closing * a.z;
    return v;
  }
  KOKKOS_FORCEINLINE_FUNCTION void openFrom(int i, const PairPosition<Coord>& position, u32 species,
                                            const Vec3<Real>& v, const Vec3<Real>& a, Real dt,
                                            u32 nextSignature) const {
    Vec3<Real> kicked{v.x + half * a.x, v.y + half * a.y, v.z + half * a.z};
    drift(i, position, kicked, dt, nextSignature);
    storeVelocity(i, species, kicked, a);
  }

  KOKKOS_FORCEINLINE_FUNCTION void drift(int i, const PairPosition<Coord>& position, Vec3<Real>& velocity, Real dt,
                                         u32 nextSignature) const {
    Vec3<Real> d{dt * velocity.x, dt * velocity.y, dt * velocity.z};
    if (!(d.x * d.x + d.y * d.y + d.z * d.z < largestStep2)) {  // also catches not-a-number
      raise(errors, StepFlags::stepTooLarge, step, tag(i));
      d = {};
      velocity = {};
    }
    Vec3<Coord> to;
    if constexpr (P::splitMaster) {
      const Vec3<u32> low = old.positionLow(i);
      const Vec3<u64> master = mover.move(join(position, low), d, velocity);
      next.positionLow(i) = {static_cast<u32>(master.x), static_cast<u32>(master.y), static_cast<u32>(master.z)};
      to = {static_cast<u32>(master.x >> 32), static_cast<u32>(master.y >> 32), static_cast<u32>(master.z >> 32)};
    } else {
      to = mover.move(Vec3<Coord>{position.x, position.y, position.z}, d, velocity);
    }
    next.position(i) = {to.x, to.y, to.z, nextSignature};
    watchSkin(i, to);
  }

  KOKKOS_FORCEINLINE_FUNCTION static Vec3<u64> join(const PairPosition<Coord>& high, const Vec3<u32>& low) {
    return {static_cast<u64>(high.x) << 32 | low.x, static_cast<u64>(high.y) << 32 | low.y,
            static_cast<u64>(high.z) << 32 | low.z};
  }

  KOKKOS_FORCEINLINE_FUNCTION void watchSkin(int i, const Vec3<Coord>& to) const {
    if (halfSkin2 < Real(0)) return;
    const Vec3<Coord> from = built(i);
    const Real x = static_cast<Real>(static_cast<Signed<Coord>>(to.x - from.x)) * tick.x;
    const Real y = static_cast<Real>(static_cast<Signed<Coord>>(to.y - from.y)) * tick.y;
    const Real z = static_cast<Real>(static_cast<Signed<Coord>>(to.z - from.z)) * tick.z;
    if (!(x * x + y * y + z * z > halfSkin2)) return;
    moved() = step + 1;
    if (backend::onGpu && staleFrom != nullptr) *staleFrom = step + 1;
  }

  KOKKOS_FORCEINLINE_FUNCTION void storeVelocity(int i, u32 species, const Vec3<Real>& kicked,
                                                 const Vec3<Real>& a) const {
    const Vec3<Real> predicted{kicked.x + predictor * a.x, kicked.y + predictor * a.y, kicked.z + predictor * a.z};
    const Vec3<Store> stored{Store(predicted.x), Store(predicted.y), Store(predicted.z)};
    next.velocity(i) = {stored.x, stored.y, stored.z, species};
    if (next.velocityLow.data() == nullptr) return;
    const Vec3<Real> missing{kicked.x - Real(stored.x), kicked.y - Real(stored.y), kicked.z - Real(stored.z)};
    const Vec3<Store> low{Store(missing.x), Store(missing.y), Store(missing.z)};
    next.velocityLow(i) = low;
    if (next.velocityRest.data() != nullptr)
      next.velocityRest(i) = {Store(missing.x - Real(low.x)), Store(missing.y - Real(low.y)),
                              Store(missing.z - Real(low.z))};
  }
};

}  // namespace mesowarp
