// What a traversal of the neighbour rows reads.
#pragma once

#include "core/box.hpp"
#include "core/math.hpp"
#include "core/step_guard.hpp"
#include "core/sums.hpp"
#include "kernels/pairs/pair_force.hpp"
#include "kernels/rows/neighbor_table.hpp"

namespace mesowarp {

// What the traversal reads.
template <class P>
struct PairState {
  using Position = PairPosition<typename P::Coord>;
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> velocity;
  NeighborTable neighbors;
  Ticks<typename P::Real> tick;
  bool fresh = false;  // nothing has moved since the list was built
  StepGuard guard;
};

namespace backend {

template <class Real, class Coord>
KOKKOS_INLINE_FUNCTION Vec3<Real> separation(const PairPosition<Coord>& i, const PairPosition<Coord>& j,
                                             const Ticks<Real>& tick) {
  return {math::fromInteger<Real>(static_cast<Signed<Coord>>(i.x - j.x)) * tick.x,
          math::fromInteger<Real>(static_cast<Signed<Coord>>(i.y - j.y)) * tick.y,
          math::fromInteger<Real>(static_cast<Signed<Coord>>(i.z - j.z)) * tick.z};
}

}  // namespace backend
}  // namespace mesowarp
