// A particle's velocity as the integrator stores it (verlet.hpp): what pair forces read, and what that lacks, in up to
// three numbers. For what changes velocities between the integrator's kernels.
#pragma once

#include "state/particles.hpp"

namespace mesowarp {

// v: the integrator's velocity; offset: what pair forces see beyond it. Three numbers each.
template <class P>
KOKKOS_INLINE_FUNCTION void readVelocity(const StateView<P>& state, int i, double* v, double* offset) {
  using Store = typename P::Store;
  const PairVelocity<Store> predicted = state.velocity(i);
  const Vec3<Store> low = state.velocityLow.data() ? state.velocityLow(i) : Vec3<Store>{};
  const Vec3<Store> rest = state.velocityRest.data() ? state.velocityRest(i) : Vec3<Store>{};
  const double p[3] = {static_cast<double>(predicted.x), static_cast<double>(predicted.y),
                       static_cast<double>(predicted.z)};
  for (int axis = 0; axis < 3; ++axis) {
    v[axis] = p[axis] + static_cast<double>(low[axis]) + static_cast<double>(rest[axis]);
    offset[axis] = p[axis] - v[axis];
  }
}

template <class P>
KOKKOS_INLINE_FUNCTION void writeVelocity(const StateView<P>& state, int i, const double* v, const double* offset) {
  using Store = typename P::Store;
  Store stored[3], low[3], rest[3];
  for (int axis = 0; axis < 3; ++axis) {
    stored[axis] = Store(v[axis] + offset[axis]);
    const double missing = v[axis] - static_cast<double>(stored[axis]);
    low[axis] = Store(missing);
    rest[axis] = Store(missing - static_cast<double>(low[axis]));
  }
  state.velocity(i) = {stored[0], stored[1], stored[2], state.velocity(i).species};
  if (state.velocityLow.data()) state.velocityLow(i) = {low[0], low[1], low[2]};
  if (state.velocityRest.data()) state.velocityRest(i) = {rest[0], rest[1], rest[2]};
}

}  // namespace mesowarp
