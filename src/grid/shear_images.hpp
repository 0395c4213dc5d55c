// Kernels of a sheared box (core/shear.hpp): ghosts become images beyond its faces, particles that have drifted through
// a face go back into the box, and displacements are watched in a flow.
#pragma once

#include "core/domain.hpp"
#include "device/config.hpp"
#include "grid/shear_faces.hpp"

namespace mesowarp {

// A component of a velocity of any kind.
template <class Velocity>
KOKKOS_INLINE_FUNCTION auto& component(Velocity& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Ghosts in the order of ways: of which image each is.
struct GhostWays {
  int first[direction::count + 1] = {};  // ghost of each way
  int image[direction::count] = {};      // Domain::imageFrom

  KOKKOS_INLINE_FUNCTION int operator()(int k) const {
    int way = 0;
    while (first[way + 1] <= k) ++way;
    return image[way];
  }
};

// Where ghosts, as they come, are to be along the flow: leading 32 bits.
template <class Coord>
struct GhostsAlong {
  ShearFaces<Coord> faces;
  GhostWays ways;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<u32> along;
  int firstGhost;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    const auto p = position(firstGhost + k);
    const Vec3<Coord> at{p.x, p.y, p.z};
    const int image = ways(k);
    const Coord x = (image == 0 ? at : faces.image(at, image))[faces.flow];
    along(k) = static_cast<u32>(x >> (8 * sizeof(Coord) - 32));
  }
};

// Copies of particles become images: place and velocity.
template <class P>
struct MoveGhosts {
  using Coord = typename P::Coord;
  using Real = typename P::Real;
  ShearFaces<Coord> faces;
  GhostWays ways;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> velocity;
  int firstGhost;
  bool velocities;  // ghosts have them
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    const int image = ways(k);
    if (image == 0) return;
    auto p = position(firstGhost + k);
    const Vec3<Coord> to = faces.image({p.x, p.y, p.z}, image);
    position(firstGhost + k) = {to.x, to.y, to.z, p.signature};
    if (!velocities) return;
    auto& v = component(velocity(firstGhost + k), faces.flow);
    v = static_cast<typename P::Store>(Real(v) + Real(image) * Real(faces.speed));
  }
};

// Before a build: particles beyond a face go back into the box at the other one. The box crossings since the last build
// are counted, and the position at that build becomes the one at this.
template <class P>
struct PutBack {
  using Coord = typename P::Coord;
  using Store = typename P::Store;
  using Real = typename P::Real;
  ShearFaces<Coord> faces;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<Store>> velocity;
  DeviceArray<Vec3<Store>> low, rest;  // what else the velocity consists of, or empty (ParticleArrays)
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<u64> image;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    Vec3<Coord> at{p.x, p.y, p.z};
    const Vec3<Coord> from = built(i);
    Vec3<i32> crossed{};
    for (int axis = 0; axis < 3; ++axis)
      if (axis != faces.gradient) crossed[axis] = crossings(from[axis], at[axis]);
    const int was = faces.putBack(at, crossed);
    if (was == 0) return;
    position(i) = {at.x, at.y, at.z, p.signature};
    built(i) = at;
    const Vec3<i32> n = unpackImage(image(i));
    image(i) = packImage({n.x + crossed.x, n.y + crossed.y, n.z + crossed.z});
    addToVelocity(i, -Real(was) * Real(faces.speed));
  }

private:
  KOKKOS_INLINE_FUNCTION void addToVelocity(int i, Real change) const {
    Store& v = component(velocity(i), faces.flow);
    Real all = Real(v) + change;
    const Store stored = static_cast<Store>(all);
    if (low.data() != nullptr) {
      all = Real(v);
      all += Real(component(low(i), faces.flow));
      if (rest.data() != nullptr) all += Real(component(rest(i), faces.flow));
      const Real missing = all + change - Real(stored);
      const Store lower = static_cast<Store>(missing);
      component(low(i), faces.flow) = lower;
      if (rest.data() != nullptr) component(rest(i), faces.flow) = static_cast<Store>(missing - Real(lower));
    }
    v = stored;
  }
};

// Whether a neighbour list is still good. A particle's displacement d_i is measured in the flow that was where it was
// at the build; images move with the flow where they are, so theirs is the same. Two particles that were further apart
// than the reach can be within the cutoff only if d_i + d_j + |rate| reach t > skin: those more than the reach apart
// along the gradient need the skin from d alone, others are moved against each other by the flow by less than
// |rate| reach t.
template <class Coord, class Real>
struct WatchInFlow {
  Shear shear;
  DeviceArray<PairPosition<Coord>> position;  // of the step to come
  DeviceArray<Vec3<Coord>> built;
  Vec3<Real> tick;
  Real time;    // since the build
  Real middle;  // of the box along the gradient
  Real most2;   // length^2; negative: no displacement is small enough
  i64 step;     // the step to come
  Kokkos::View<i64, backend::SharedSpace> moved;
  i64* staleFrom;  // where kernels of later steps look (StepGuard); null: the host does before it launches them

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (staleFrom != nullptr && *staleFrom < step) return;  // this step has done nothing
    const auto p = position(i);
    const Vec3<Coord> at{p.x, p.y, p.z}, from = built(i);
    Vec3<Real> d;
    for (int axis = 0; axis < 3; ++axis)
      component(d, axis) = static_cast<Real>(static_cast<Signed<Coord>>(at[axis] - from[axis])) * tick[axis];
    const Real height = static_cast<Real>(from[shear.gradient]) * tick[shear.gradient] - middle;
    component(d, shear.flow) -= Real(shear.rate) * height * time;
    if (!(d.x * d.x + d.y * d.y + d.z * d.z > most2)) return;
    moved() = step;
    if (staleFrom != nullptr) *staleFrom = step;
  }
};

}  // namespace mesowarp
