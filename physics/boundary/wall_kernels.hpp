// What walls do in a step, as kernels over particles: which are near a wall, the bounce, and what walls get of it.
#pragma once

#include "core/sums.hpp"
#include "kernels/pairs/particle_blocks.hpp"
#include "kernels/pairs/step_context.hpp"
#include "physics/boundary/bounce.hpp"
#include "physics/boundary/wall_layer.hpp"
#include "physics/boundary/wall_tallies.hpp"
#include "physics/integrate/drive.hpp"
#include "physics/integrate/split_velocity.hpp"
#include "state/particles.hpp"

namespace mesowarp::boundary {

// Of a particle, from one build of the neighbour list to the next.
struct Nearness {
  static constexpr unsigned char far = 0, near = 1, frozen = 2;  // frozen + w: in wall w
};

// On a GPU: those that are not far, in their order, so that a warp's are neighbours in memory. The bounce needs so many
// registers that asking all particles, of which a few in a hundred are near, takes longer than the bounces do.
struct NearList {
  static constexpr int workers = 132 * 1024;  // threads that share the list, whatever its length is
  DeviceArray<int> particles, count;          // count: one number
};

// A scan: a counter that all add to would take longer than all else (a nanosecond a particle).
struct ListNear {
  DeviceArray<unsigned char> nearness;
  NearList list;
  int last;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& at, bool final) const {
    const bool listed = nearness(i) != Nearness::far;
    if (final && listed) list.particles(at) = i;
    at += listed ? 1 : 0;
    if (final && i == last) list.count(0) = at;
  }
};

template <class P>
struct PointOf {
  static constexpr int up = 64 - 8 * static_cast<int>(sizeof(typename P::Coord));
  template <class Coords>
  KOKKOS_INLINE_FUNCTION static Solid::Point of(const Coords& x) {
    return {{static_cast<u64>(x.x) << up, static_cast<u64>(x.y) << up, static_cast<u64>(x.z) << up}};
  }
  KOKKOS_INLINE_FUNCTION static Solid::Point of(const PairPosition<typename P::Coord>& x, const Vec3<u32>& low) {
    const Solid::Point high = of(x);
    return {{high.x[0] | low.x, high.x[1] | low.y, high.x[2] | low.z}};
  }
};

// By positions at the build, so that a resumed run finds the same.
template <class P>
struct FindNear {
  DeviceArray<Vec3<typename P::Coord>> built;
  DeviceArray<PairVelocity<typename P::Store>> velocity;  // species
  DeviceArray<typename P::Real> inverseMass;
  Solid solid;
  double reach;  // of particles until the next build, length
  DeviceArray<unsigned char> nearness;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const Solid::Nearest nearest = solid(PointOf<P>::of(built(i)));
    constexpr double slack = 1e-4;  // length: what rounding may add up to where frozen particles go round
    const bool frozen = !(inverseMass(velocity(i).species) > typename P::Real(0));
    nearness(i) = frozen ? (nearest.distance < slack ? static_cast<unsigned char>(Nearness::frozen + nearest.wall)
                                                     : Nearness::far)
                         : (nearest.distance < reach ? Nearness::near : Nearness::far);
  }
};

// Behind the closing kernel, for the particles of some blocks: positions and velocities of the next state.
template <class P>
struct BounceParticles {
  using Coord = typename P::Coord;
  using Real = typename P::Real;

  StateView<P> next;
  DeviceArray<unsigned char> nearness;
  DeviceArray<u32> tag;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<Vec3<Real>> force;  // f_k; empty: nobody asks what walls get of pair forces
  DeviceArray<Real> mass;         // of each species
  Drives<Coord, Real> drives;     // f_k has them, and walls do not
  Solid solid;
  WallLayer layer;
  WallExchange<Real> exchange;
  WallTallies tallies;
  double timestep;
  Ticks<double> tick;  // of a pair coordinate, length
  double halfSkin2;    // negative: displacements are not watched
  i64 step;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;
  Kokkos::View<i64, backend::SharedSpace> moved;
  i64* staleFrom;
  StepGuard guard;
  backend::ParticleBlocks blocks;
  int blockSize;

  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    if (backend::onGpu && guard.stops()) return;
    const int i = blocks.block(thread / blockSize) * blockSize + thread % blockSize;
    if (i < blocks.particles && nearness(i) != Nearness::far) act(i);
  }
  // Of one that is not far.
  KOKKOS_INLINE_FUNCTION void act(int i) const {
    if (nearness(i) < Nearness::frozen) return bounce(i);
    addForce(i);
    moveAlong(i, nearness(i) - Nearness::frozen);
  }

private:
  KOKKOS_INLINE_FUNCTION void addForce(int i) const {
    if (force.data() == nullptr) return;
    const int wall = nearness(i) - Nearness::frozen;
    const Vec3<Real> f = force(i);
    const auto at = next.position(i);
    const double m = static_cast<double>(mass(next.velocity(i).species));
    const Vec3<Real> g = drives.at(Vec3<Coord>{at.x, at.y, at.z});
    for (int axis = 0; axis < 3; ++axis)
      tallies.addImpulse(i, wall, axis, timestep * (static_cast<double>(f[axis]) - m * static_cast<double>(g[axis])));
  }

  // Frozen particles of a wall that moves go with it: at rest, what they repel would be held back by them.
  KOKKOS_INLINE_FUNCTION void moveAlong(int i, int wall) const {
    const WallMotion& m = solid.motions[wall];
    if (!m.moves) return;
    Solid::Point at = pointOf(i);
    double by[3];
    solid.stepOf(at, wall, timestep, by);
    at = solid.moved(at, by);
    constexpr int up = PointOf<P>::up;
    if (up > 0 && !P::splitMaster)
      for (u64& x : at.x) x += u64{1} << (up > 0 ? up - 1 : 0);  // to the nearest coordinate
    storePosition(i, at);
    Bounce b{};
    solid.velocityAt(at, wall, b.velocity);
    writeVelocity(next, i, b.velocity, b.offset);
  }

  KOKKOS_INLINE_FUNCTION Solid::Point pointOf(int i) const {
    return P::splitMaster ? PointOf<P>::of(next.position(i), next.positionLow(i)) : PointOf<P>::of(next.position(i));
  }

  KOKKOS_INLINE_FUNCTION void bounce(int i) const {
    Bounce b;
    b.at = pointOf(i);
    Solid::Nearest here = solid(b.at);
    if (!(here.distance < layer.reach)) return;
    const u32 species = next.velocity(i).species;
    double v[3];
    readVelocity(next, i, v, b.offset);
    for (int axis = 0; axis < 3; ++axis) b.velocity[axis] = v[axis];
    const double m = static_cast<double>(mass(species));
    if (here.distance < 0.0) {
      Bouncer{solid, timestep}(b);
      storePosition(i, b.at);
      if (b.strayed) tallies.addStray(i);
      if (b.lost) raise(errors, StepFlags::insideSolid, step, tag(i));
      for (int axis = 0; axis < 3; ++axis) tallies.addImpulse(i, b.wall, axis, m * (v[axis] - b.velocity[axis]));
      here = solid(b.at);
    }
    if (here.distance < layer.reach) {
      const double before[3] = {b.velocity[0], b.velocity[1], b.velocity[2]};
      layer.act(solid, here, species, tag(i), m, b);
      if (exchange.table.data() != nullptr) exchange.act(i, here, species);
      for (int axis = 0; axis < 3; ++axis)
        tallies.addImpulse(i, here.wall, axis, m * (before[axis] - b.velocity[axis]));
    }
    writeVelocity(next, i, b.velocity, b.offset);
  }

  KOKKOS_INLINE_FUNCTION void storePosition(int i, const Solid::Point& at) const {
    constexpr int up = PointOf<P>::up;
    const Vec3<Coord> to{static_cast<Coord>(at.x[0] >> up), static_cast<Coord>(at.x[1] >> up),
                         static_cast<Coord>(at.x[2] >> up)};
    next.position(i) = {to.x, to.y, to.z, next.position(i).signature};
    if (P::splitMaster)
      next.positionLow(i) = {static_cast<u32>(at.x[0]), static_cast<u32>(at.x[1]), static_cast<u32>(at.x[2])};
    watchSkin(i, to);
  }

  KOKKOS_INLINE_FUNCTION void watchSkin(int i, const Vec3<Coord>& to) const {
    if (halfSkin2 < 0.0) return;
    const Vec3<Coord> from = built(i);
    const double x = static_cast<double>(static_cast<Signed<Coord>>(to.x - from.x)) * tick.x;
    const double y = static_cast<double>(static_cast<Signed<Coord>>(to.y - from.y)) * tick.y;
    const double z = static_cast<double>(static_cast<Signed<Coord>>(to.z - from.z)) * tick.z;
    if (!(x * x + y * y + z * z > halfSkin2)) return;
    moved() = step + 1;
    if (backend::onGpu && staleFrom != nullptr) *staleFrom = step + 1;
  }
};

// The same for all particles, by the list.
template <class P>
struct BounceListed {
  BounceParticles<P> bounce;
  NearList list;
  KOKKOS_INLINE_FUNCTION void operator()(int worker) const {
    if (backend::onGpu && bounce.guard.stops()) return;
    for (int k = worker, count = list.count(0); k < count; k += NearList::workers) bounce.act(list.particles(k));
  }
};

}  // namespace mesowarp::boundary
