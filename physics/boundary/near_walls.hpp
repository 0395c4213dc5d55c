// Which particles are near a wall, from one build of the neighbour list to the next.
#pragma once

#include "device/lane_totals_gpu.hpp"
#include "physics/boundary/solid.hpp"
#include "state/particles.hpp"

namespace mesowarp::boundary {

// Of a particle, from one build of the neighbour list to the next.
struct Nearness {
  static constexpr unsigned char far = 0, near = 1, frozen = 2;  // frozen + w: in wall w
};

// Those that are not far and have something to do. The bounce needs so many registers of a GPU that asking all
// particles, of which a few in a hundred are near, takes longer than the bounces do.
struct NearList {
  DeviceArray<int> particles, count;  // count: one number

  // Threads that share the list. A GPU's host does not know how long it is.
  int workers() const {
    if constexpr (backend::onGpu)
      return 132 * 1024;
    else
      return count(0);
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

  KOKKOS_INLINE_FUNCTION unsigned char find(int i) const {
    const Solid::Nearest nearest = solid(PointOf<P>::of(built(i)));
    constexpr double slack = 1e-4;  // length: what rounding may add up to where frozen particles go round
    const bool frozen = !(inverseMass(velocity(i).species) > typename P::Real(0));
    return frozen ? (nearest.distance < slack ? static_cast<unsigned char>(Nearness::frozen + nearest.wall)
                                              : Nearness::far)
                  : (nearest.distance < reach ? Nearness::near : Nearness::far);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { nearness(i) = find(i); }
};

// The same for the particles of cells that walls reach, a warp a cell, and a list of them. What a counter is added to
// by a warp at once does not have them in their order, which no result depends on.
template <class P>
struct ListNear {
  FindNear<P> find;
  DeviceArray<int> cells, start;  // numbers of the cells; first particle of each cell
  bool frozenToo;                 // frozen particles have something to do
  NearList list;

  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    const int cell = cells(thread / backend::warpThreads), lane = thread % backend::warpThreads;
    for (int first = start(cell); first < start(cell + 1); first += backend::warpThreads) {
      const int i = first + lane;
      const bool here = i < start(cell + 1);
      const unsigned char nearness = here ? find.find(i) : Nearness::far;
      if (here) find.nearness(i) = nearness;
      const u32 listed = backend::votes(nearness == Nearness::near || (frozenToo && nearness >= Nearness::frozen));
      if (listed == 0) continue;
      int at = 0;
      if (lane == 0) at = Kokkos::atomic_fetch_add(&list.count(0), backend::numberOf(listed));
      at = backend::ofLane(at, 0) + backend::numberOf(listed & ((1u << lane) - 1));
      if (listed >> lane & 1u) list.particles(at) = i;
    }
  }
};

struct EmptyNearList {
  NearList list;
  KOKKOS_INLINE_FUNCTION void operator()(int) const { list.count(0) = 0; }
};

}  // namespace mesowarp::boundary
