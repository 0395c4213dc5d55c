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
  template <class Test>
  KOKKOS_INLINE_FUNCTION double among(const Test& inFluid, double first) const {
    if constexpr (backend::onGpu)
      return amongByMany(Votes<Test>{inFluid, lane}, first);
    else
      return Halving{}.among(inFluid, first);
  }
};

// What a step finds in the solid. Steps count in turns in one of two numbers; the kernel that bounces, behind that
// which counts, clears the other one. (Threads that exchange one number until nobody came between wait for each other.)
struct BounceQueue {
  DeviceArray<int> particles;
  DeviceArray<int> filled;  // two numbers
  u32 launch = 0;

  KOKKOS_INLINE_FUNCTION void add(int i) const { particles(Kokkos::atomic_fetch_add(&filled(launch & 1u), 1)) = i; }
  KOKKOS_INLINE_FUNCTION int count() const { return filled(launch & 1u); }
  // Also in a step that does nothing.
  KOKKOS_INLINE_FUNCTION void clearNext() const { filled(~launch & 1u) = 0; }
  std::size_t bytes() const { return sizeof(int) * (particles.extent(0) + filled.extent(0)); }
};

// The same for all particles, by the list. On a GPU what is found in the solid waits for the next kernel: few are in a
// step, and one thread that follows a path keeps all others of its kernel waiting.
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
  static constexpr int warps = 132 * 16;
  BounceParticles<P> particles;
  BounceQueue queue;
  KOKKOS_INLINE_FUNCTION void operator()(int worker) const {
    if (worker == 0) queue.clearNext();
    if (particles.guard.stops()) return;
    const int lane = worker % backend::warpThreads;
    for (int k = worker / backend::warpThreads, count = queue.count(); k < count; k += warps)
      particles.bounce(queue.particles(k), HalvingByWarp{lane}, lane == 0);
  }
};

}  // namespace mesowarp::boundary
