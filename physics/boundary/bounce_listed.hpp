// Bounces at walls by the list of particles that are near.
#pragma once

#include "physics/boundary/bounce_queue.hpp"
#include "physics/boundary/wall_kernels.hpp"

namespace mesowarp::boundary {

// The same for all particles, by the list. On a GPU what is found in the solid waits for the next kernel.
template <class P>
struct ActListed {
  BounceParticles<P> particles;
  NearList list;
  BounceQueue queue;
  int workers;
  KOKKOS_INLINE_FUNCTION void operator()(int worker) const {
    if (backend::onGpu && particles.guard.stops()) return;
    const NearList::Places places = list.places();
    for (int k = worker; k < places.all; k += workers) {
      const int place = places[k];
      if (place == NearList::Places::none) continue;
      const int i = list.particles(place);
      if (particles.act(i)) continue;
      if constexpr (backend::onGpu)
        queue.add(i);
      else
        particles.bounce(i, Halving{}, true);
    }
  }
};

// A warp for each of the queue.
template <class P>
struct BounceQueued {
  BounceParticles<P> particles;
  BounceQueue queue;
  KOKKOS_INLINE_FUNCTION void operator()(int worker) const {
    if (worker == 0) queue.clearNext();
    if (particles.guard.stops()) return;
    const int lane = worker % backend::warpThreads;
    for (int k = worker / backend::warpThreads, count = queue.count(); k < count; k += BounceQueue::warps)
      particles.bounce(queue.particles[k], HalvingByWarp{lane}, lane == 0);
  }
};

}  // namespace mesowarp::boundary
