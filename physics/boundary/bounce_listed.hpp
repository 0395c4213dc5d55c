// Bounces at walls by the list of particles that are near.
#pragma once

#include "physics/boundary/wall_kernels.hpp"

namespace mesowarp::boundary {

// The search for the place where a path meets the surface, by a warp that has but one path.
struct HalvingByWarp {
  int lane;
  template <class Test>
  struct Votes {
    const Test& inFluid;
    int lane;
    KOKKOS_INLINE_FUNCTION u32 operator()(double first, double apart) const {
      return backend::votes(inFluid(first + lane * apart));
    }
  };
  template <class Test>
  KOKKOS_INLINE_FUNCTION double operator()(const Test& inFluid) const {
    if constexpr (backend::onGpu)
      return halvedByMany(Votes<Test>{inFluid, lane});
    else
      return Halving{}(inFluid);
  }
};

// The same for all particles, by the list. What a warp's threads find in the solid bounces behind that, one after the
// other by all of them: few do in a step, and one alone would keep the kernel waiting.
template <class P>
struct BounceListed {
  BounceParticles<P> particles;
  NearList list;
  int workers;
  KOKKOS_INLINE_FUNCTION void operator()(int worker) const {
    if (backend::onGpu && particles.guard.stops()) return;
    const int lane = worker % backend::warpThreads;
    for (int first = worker - lane, count = list.count(0); first < count; first += workers) {
      const int i = first + lane < count ? list.particles(first + lane) : -1;
      for (u32 left = backend::votes(i >= 0 && !particles.act(i)); left != 0; left &= left - 1) {
        const int one = backend::firstOf(left);
        particles.bounce(backend::ofLane(i, one), HalvingByWarp{lane}, lane == one);
      }
    }
  }
};

}  // namespace mesowarp::boundary
