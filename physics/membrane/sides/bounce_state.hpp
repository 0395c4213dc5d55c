// What the kernels of a bounce at membranes share.
#pragma once

#include "core/box.hpp"
#include "core/step_guard.hpp"
#include "kernels/pairs/sheared_separation.hpp"
#include "kernels/pairs/step_context.hpp"
#include "physics/integrate/split_velocity.hpp"
#include "physics/membrane/sides/surfaces.hpp"
#include "state/particles.hpp"

namespace mesowarp::membrane {

// Impulses on vertices are summed as multiples of this, mass length / time: neither the order of threads nor the cut
// into ranks changes them. Sums may be as large as 2^19.
constexpr double impulseUnit = 0x1p-44;

template <class P>
struct BounceState {
  using Coord = typename P::Coord;
  using Real = typename P::Real;

  StateView<P> now;                     // changed in place
  DeviceArray<Vec3<Coord>> before;      // places at the end of the step before, of ghosts, too
  DeviceArray<Vec3<u32>> observedLow;   // what an output gets of positions' lower halves; empty: nobody asks
  DeviceArray<Real> mass, inverseMass;  // of each species
  DeviceArray<i64> impulse;             // three of a particle or ghost, in impulseUnit; zero outside of a bounce
  DeviceArray<u32> tag;
  DeviceArray<Vec3<Coord>> built;
  Surfaces surfaces;
  ShearFaces<Coord> facesBefore, faces;  // of a sheared box, of the step before and of this one
  StepGuard guard;
};

// In a sheared box, behind a build: who has been put back into the box, or is an image, was the step before where the
// same image was then.
template <class P>
struct SlideBefore {
  BounceState<P> of;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (backend::onGpu && of.guard.stops()) return;
    const auto p = of.now.position(i);
    const int image = nearestImage(of.faces, Vec3<typename P::Coord>{p.x, p.y, p.z}, of.before(i));
    if (image != 0) of.before(i) = of.facesBefore.image(of.before(i), image);
  }
};

// Vertices of this rank take what has hit their triangles.
template <class P>
struct TakeImpulses {
  BounceState<P> of;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if ((backend::onGpu && of.guard.stops()) || of.surfaces.spanOf(of.tag(i)) < 0) return;
    const std::size_t at = 3 * static_cast<std::size_t>(i);
    if (of.impulse(at) == 0 && of.impulse(at + 1) == 0 && of.impulse(at + 2) == 0) return;
    const double perMass = static_cast<double>(of.inverseMass(of.now.velocity(i).species));
    double v[3], offset[3];
    readVelocity(of.now, i, v, offset);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      v[axis] += perMass * (static_cast<double>(of.impulse(at + axis)) * impulseUnit);
      of.impulse(at + axis) = 0;
    }
    writeVelocity(of.now, i, v, offset);
  }
};

// Of own particles and ghosts: where the next step's paths begin.
template <class P>
struct KeepPlaces {
  BounceState<P> of;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (backend::onGpu && of.guard.stops()) return;
    const auto p = of.now.position(i);
    of.before(i) = {p.x, p.y, p.z};
  }
};

}  // namespace mesowarp::membrane
