// What walls do in a step, as a kernel over particles: the bounce, the layer next to the surface, and what walls get of
// it.
#pragma once

#include "core/sums.hpp"
#include "device/lane_totals_gpu.hpp"
#include "kernels/pairs/particle_blocks.hpp"
#include "kernels/pairs/step_context.hpp"
#include "physics/boundary/bounce.hpp"
#include "physics/boundary/near_walls.hpp"
#include "physics/boundary/wall_layer.hpp"
#include "physics/boundary/wall_tallies.hpp"
#include "physics/integrate/drive.hpp"
#include "physics/integrate/split_velocity.hpp"
#include "state/particles.hpp"

namespace mesowarp::boundary {

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
    if (i < blocks.particles && nearness(i) != Nearness::far && !act(i)) bounce(i, Halving{}, true);
  }
  // Of one that is not far. False: it has come into the solid, and must bounce.
  KOKKOS_INLINE_FUNCTION bool act(int i) const {
    if (nearness(i) < Nearness::frozen) return actInFluid(i);
    addForce(i);
    moveAlong(i, nearness(i) - Nearness::frozen);
    return true;
  }

  // writes: of several threads that do the same, this one keeps what comes out.
  template <class Search>
  KOKKOS_INLINE_FUNCTION void bounce(int i, Search search, bool writes) const {
    Bounce b;
    double v[3];
    const u32 species = read(i, b, v);
    backend::meetInWarp();
    Bouncer<Search>{solid, timestep, search}(b);
    if (!writes) return;
    storePosition(i, b.at);
    if (b.strayed) tallies.addStray(i);
    if (b.lost) raise(errors, StepFlags::insideSolid, step, tag(i));
    const double m = static_cast<double>(mass(species));
    for (int axis = 0; axis < 3; ++axis) tallies.addImpulse(i, b.wall, axis, m * (v[axis] - b.velocity[axis]));
    if (b.end.distance < layer.reach) actInLayer(i, b.end, species, b);
    writeVelocity(next, i, b.velocity, b.offset);
  }

private:
  KOKKOS_INLINE_FUNCTION u32 read(int i, Bounce& b, double* v) const {
    b.at = pointOf(i);
    readVelocity(next, i, v, b.offset);
    for (int axis = 0; axis < 3; ++axis) b.velocity[axis] = v[axis];
    return next.velocity(i).species;
  }

  KOKKOS_INLINE_FUNCTION bool actInFluid(int i) const {
    const Solid::Nearest here = solid(pointOf(i));
    if (here.distance < 0.0) return false;
    if (!(here.distance < layer.reach)) return true;
    Bounce b;
    double v[3];
    const u32 species = read(i, b, v);
    actInLayer(i, here, species, b);
    writeVelocity(next, i, b.velocity, b.offset);
    return true;
  }

  KOKKOS_INLINE_FUNCTION void actInLayer(int i, const Solid::Nearest& here, u32 species, Bounce& b) const {
    const double m = static_cast<double>(mass(species));
    const double before[3] = {b.velocity[0], b.velocity[1], b.velocity[2]};
    layer.template act<Real>(solid, here, species, tag(i), m, b);
    if (exchange.table.data() != nullptr) exchange.act(i, here, species);
    for (int axis = 0; axis < 3; ++axis) tallies.addImpulse(i, here.wall, axis, m * (before[axis] - b.velocity[axis]));
  }

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

}  // namespace mesowarp::boundary
