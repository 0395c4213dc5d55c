// Traversal of the neighbour rows: sums a pair force over each particle's neighbours and hands the sum to an epilogue.
// The force knows nothing of the list, the epilogue nothing of the force.
#pragma once

#include "backend/kokkos_compatibility.hpp"
#include "backend/pair_traversal.hpp"
#include "core/sums.hpp"

namespace mesowarp {

// Epilogue: struct with  void operator()(int i, Vec3<Real> force, Prepared)  and  void operator()(int i, Vec3<Real> force,
// Prepared, ThermoSums&)  for observed steps;  Prepared prepare(int i)  is what can be computed for several particles side
// by side, without branches;  last: whether it is the step's last word on a particle.
template <class P_, class Force_, bool OneSpecies, class Epilogue_>
struct PairKernel {
  using P = P_;
  using Force = Force_;
  using Epilogue = Epilogue_;
  using Real = typename P::Real;
  static constexpr bool oneSpecies = OneSpecies;
  PairState<P> state;
  PairTable<Force> pairs;
  Epilogue epilogue;
};

// Epilogue of every pair force but the last one: adds to the particle's force.
template <class Real>
struct AddToForce {
  static constexpr bool last = false;
  struct Prepared {};
  DeviceArray<Vec3<Real>> force;
  KOKKOS_INLINE_FUNCTION Prepared prepare(int) const { return {}; }
  KOKKOS_INLINE_FUNCTION void operator()(int i, Vec3<Real> sum, Prepared) const {
    force(i).x += sum.x, force(i).y += sum.y, force(i).z += sum.z;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, Vec3<Real> sum, Prepared, ThermoSums&) const { (*this)(i, sum, {}); }
};

}  // namespace mesowarp
