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

// What a step finds in the solid. A launch has a number of its own, so nobody need empty the queue: what another launch
// has left there counts as nothing.
struct BounceQueue {
  DeviceArray<int> particles;
  DeviceArray<u64> filled;  // one number: the launch, and below it how many particles it has put here
  u32 launch = 0;

  KOKKOS_INLINE_FUNCTION void add(int i) const {
    u64 seen = filled(0), begun;
    for (u64 last;;) {
      begun = seen >> 32 == launch ? seen : u64{launch} << 32;
      last = seen, seen = Kokkos::atomic_compare_exchange(&filled(0), last, begun + 1);
      if (seen == last) break;
    }
    particles(static_cast<u32>(begun)) = i;
  }
  KOKKOS_INLINE_FUNCTION int count() const {
    const u64 seen = filled(0);
    return seen >> 32 == launch ? static_cast<int>(static_cast<u32>(seen)) : 0;
  }
  std::size_t bytes() const { return sizeof(int) * particles.extent(0) + sizeof(u64) * filled.extent(0); }
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
    for (int k = worker, count = list.count(0); k < count; k += workers) {
      const int i = list.particles(k);
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
    if (particles.guard.stops()) return;
    const int lane = worker % backend::warpThreads;
    for (int k = worker / backend::warpThreads, count = queue.count(); k < count; k += warps)
      particles.bounce(queue.particles(k), HalvingByWarp{lane}, lane == 0);
  }
};

}  // namespace mesowarp::boundary
