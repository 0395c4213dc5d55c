// Traversal of the neighbour rows: sums a pair force over each particle's neighbours and hands the sum to an epilogue.
// The force knows nothing of the list, the epilogue nothing of the force.
#pragma once

#include "backend/kokkos_compatibility.hpp"
#include "backend/pair_row.hpp"
#include "core/sums.hpp"

namespace mesowarp {

// Epilogue: struct with  void operator()(int i, Vec3<Real> force)  and  void operator()(int i, Vec3<Real> force,
// ThermoSums&)  for observed steps.
template <class P, class Force, bool OneSpecies, class Epilogue>
struct PairKernel {
  using Real = typename P::Real;
  PairState<P> state;
  PairTable<Force> pairs;
  Epilogue epilogue;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto sum = backend::sumRow<P, Force, OneSpecies, false>(state, pairs, i);
    epilogue(i, sum.force);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, ThermoSums& sums) const {
    const auto sum = backend::sumRow<P, Force, OneSpecies, true>(state, pairs, i);
    sum.addTo(sums);
    epilogue(i, sum.force, sums);
  }
};

// Epilogue of every pair force but the last one: adds to the particle's force.
template <class Real>
struct AddToForce {
  DeviceArray<Vec3<Real>> force;
  KOKKOS_INLINE_FUNCTION void operator()(int i, Vec3<Real> sum) const {
    force(i).x += sum.x, force(i).y += sum.y, force(i).z += sum.z;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, Vec3<Real> sum, ThermoSums&) const { (*this)(i, sum); }
};

// Runs the kernel; with `sums`, as an observed step whose totals are added to it.
template <class Kernel>
void runPairKernel(const char* label, int particles, const Kernel& kernel, ThermoSums* sums) {
  if (!sums) {
    Kokkos::parallel_for(label, Range(0, particles), kernel);
    return;
  }
  ThermoSums total;
  Kokkos::parallel_reduce(label, Range(0, particles), kernel, backend::SumReducer<ThermoSums>(total));
  *sums += total;
}

}  // namespace mesowarp
