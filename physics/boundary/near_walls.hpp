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
// particles, of which a few in a hundred are near, takes longer than the bounces do. Particles of the fluid stand at
// the front, frozen ones at the back, so that no warp has both: what it does for the one the other waits for.
struct NearList {
  DeviceArray<int> particles, count;  // count: of the fluid's, of the frozen ones

  // Threads that share the list. A GPU's host does not know how long it is.
  int workers() const {
    if constexpr (backend::onGpu)
      return 132 * 1024;
    else
      return count(0) + count(1);
  }
  // Places of the list in turn, from the fluid's to the frozen ones'; none for what fills the last warp up.
  struct Places {
    static constexpr int none = -1;
    int fluid, front, all, last;
    KOKKOS_INLINE_FUNCTION int operator[](int k) const { return k < fluid ? k : k < front ? none : last - (k - front); }
  };
  KOKKOS_INLINE_FUNCTION Places places() const {
    const int fluid = count(0), warps = (fluid + backend::warpThreads - 1) / backend::warpThreads;
    const int front = warps * backend::warpThreads;
    return {fluid, front, front + count(1), static_cast<int>(particles.extent(0)) - 1};
  }
  // For some lanes of a warp, to which it gives places of the list; by all of its lanes at once.
  KOKKOS_INLINE_FUNCTION void add(int i, bool listed, bool frozen, int lane) const {
    const u32 lanes = backend::votes(listed);
    if (lanes == 0) return;
    int at = 0;
    const int some = backend::numberOf(lanes);
    if (lane == 0) at = Kokkos::atomic_fetch_add(&count(frozen ? 1 : 0), some);
    at = backend::ofLane(at, 0) + backend::numberOf(lanes & ((1u << lane) - 1));
    if (listed) particles(frozen ? static_cast<int>(particles.extent(0)) - 1 - at : at) = i;
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

// The same for the particles of cells that walls reach, and a list of them. A cell has a few particles, and so gets a
// part of a warp. What a counter is added to by a warp at once does not have them in their order, which no result
// depends on.
template <class P>
struct ListNear {
  static constexpr int lanes = backend::onGpu ? 8 : 1;  // of a cell
  // Whole warps.
  static int threads(int cells) {
    constexpr int ofWarp = backend::warpThreads / lanes;
    return (cells + ofWarp - 1) / ofWarp * backend::warpThreads;
  }

  FindNear<P> find;
  DeviceArray<int> cells, start;  // numbers of the cells; first particle of each cell
  bool frozenToo;                 // frozen particles have something to do
  NearList list;

  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    const int at = thread / lanes, lane = thread % backend::warpThreads;
    const bool some = at < static_cast<int>(cells.extent(0));
    const int cell = some ? cells(at) : 0, end = some ? start(cell + 1) : 0;
    for (int i = some ? start(cell) + thread % lanes : 0; backend::votes(i < end) != 0; i += lanes) {
      const bool here = i < end;
      const unsigned char nearness = here ? find.find(i) : Nearness::far;
      if (here) find.nearness(i) = nearness;
      list.add(i, nearness == Nearness::near, false, lane);
      if (frozenToo) list.add(i, nearness >= Nearness::frozen, true, lane);
    }
  }
};

struct EmptyNearList {
  NearList list;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const { list.count(k) = 0; }
};

}  // namespace mesowarp::boundary
