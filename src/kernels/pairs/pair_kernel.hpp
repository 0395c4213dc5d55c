// Traversal of the neighbour rows: sums a pair force over each particle's neighbours and hands the sum to an epilogue.
// The force knows nothing of the list, the epilogue nothing of the force, and neither how terms are added up
// (core/accumulators.hpp). pair_row_gpu.hpp walks on a GPU, pair_block_cpu.hpp on CPUs; pair_traversal.hpp spreads the
// rows over threads.
//
// With bonds, or with several pair forces, the earlier ones write or add to SummedForces (AddToForce); the last one
// starts from there, and its epilogue makes numbers of the totals for the integrator (CloseForce). So a step with
// one pair force and no bonds is a single kernel. Observed, the kernel is a reduction over ThermoSums; else a plain
// parallel_for.
#pragma once

#include "core/sums.hpp"
#include "device/memory/zeroed.hpp"
#include "kernels/pairs/own_values.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "kernels/pairs/step_context.hpp"
#include "kernels/pairs/summed_forces.hpp"

namespace mesowarp {

// What of a kernel does not depend on what becomes of the sums. Sum: an accumulator (accumulators.hpp) of Real.
template <class P_, class Force_, bool OneSpecies, class Sum_>
struct PairForces {
  using P = P_;
  using Force = Force_;
  using Sum = Sum_;
  using Real = typename P::Real;
  static constexpr bool oneSpecies = OneSpecies;
  PairState<P> state;
  CoefficientTable<Force> pairs;
  OwnReads<Force> reads;
  OwnSums<Force> sums;
};

// Epilogue: struct with  void operator()(int i, Vec3<Total> force, Prepared)  and  void operator()(int i, Vec3<Total>
// force, Prepared, ThermoSums&)  for observed steps;  Prepared prepare(int i)  is what can be computed without
// branches;  last: whether it is the step's last word on a particle. Then Prepared is u32, and of several particles
// side by side  Keys prepared(Keys tags) is what prepare(i) is of one whose tag is  tag(i).
template <class P, class Force, bool OneSpecies, class Sum, class Epilogue_>
struct PairKernel : PairForces<P, Force, OneSpecies, Sum> {
  using Forces = PairForces<P, Force, OneSpecies, Sum>;
  using Epilogue = Epilogue_;
  Epilogue epilogue;
  double unit;  // of a total
  SumGrid grid;
};

// Epilogue of every pair force but the last one: adds to the particle's totals.
template <class Total>
struct AddToForce {
  static constexpr bool last = false;
  struct Prepared {};
  DeviceArray<Vec3<Total>> force;
  KOKKOS_INLINE_FUNCTION Prepared prepare(int) const { return {}; }
  KOKKOS_INLINE_FUNCTION void operator()(int i, const Vec3<Total>& sum, Prepared) const {
    for (int c = 0; c < 3; ++c) force(i)[c].merge(sum[c]);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, const Vec3<Total>& sum, Prepared, ThermoSums&) const {
    (*this)(i, sum, {});
  }
};

// Of one that sums no forces.
template <class Total>
struct NoForce {
  static constexpr bool last = false;
  struct Prepared {};
  KOKKOS_INLINE_FUNCTION Prepared prepare(int) const { return {}; }
  KOKKOS_INLINE_FUNCTION void operator()(int, const Vec3<Total>&, Prepared) const {}
};

// Epilogue of the last one: the totals, with those of bonds and other pair forces, as numbers for the integrator.
template <class Real, class Total, class Integrator>
struct CloseForce {
  static constexpr bool last = true;
  using Prepared = typename Integrator::Prepared;
  Integrator integrator;
  DeviceArray<Vec3<Total>> before;  // empty: nothing
  double unit;

  KOKKOS_FORCEINLINE_FUNCTION Prepared prepare(int i) const { return integrator.prepare(i); }
  KOKKOS_FORCEINLINE_FUNCTION u32 tag(int i) const { return integrator.tag(i); }
  template <class Keys>
  KOKKOS_FORCEINLINE_FUNCTION Keys prepared(Keys tags) const {
    return integrator.prepared(tags);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, Vec3<Total> sum, Prepared prepared) const {
    integrator(i, closed(i, sum), prepared);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, Vec3<Total> sum, Prepared prepared, ThermoSums& sums) const {
    const Vec3<Real> force = closed(i, sum);
    sums.addForce(sum);
    integrator(i, force, prepared, sums);
  }

  // The totals of others are added to `sum`.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> closed(int i, Vec3<Total>& sum) const {
    Vec3<Real> force;
    bool out = false;
    for (int c = 0; c < 3; ++c) {
      if (before.data() != nullptr) sum[c].merge(before(i)[c]);
      force[c] = numberOf<Real>(sum[c], unit);
      out = out || sum[c].overflowed();
    }
    if (out) raise(integrator.errors, StepFlags::rangeLeft, integrator.step, integrator.tag(i));
    return force;
  }
};

// The first half of a step that is taken apart: what all forces have summed becomes velocities.
template <class Real, class Total, class Integrator>
struct CloseStep {
  CloseForce<Real, Total, Integrator> close;
  StepGuard guard;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    Vec3<Total> sum{};
    run(i, sum);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, ThermoSums& sums) const {
    Vec3<Total> sum{};
    run(i, sum);
    sums.addForce(sum);
  }

private:
  KOKKOS_INLINE_FUNCTION void run(int i, Vec3<Total>& sum) const {
    if (backend::onGpu && guard.stops()) return;
    close.integrator.close(i, close.closed(i, sum));
  }
};

// The second: the next step begins, for the particles of some blocks of so many.
template <class Integrator>
struct OpenStep {
  using Prepared = typename Integrator::Prepared;
  Integrator integrator;
  backend::ParticleBlocks blocks;
  int blockSize;
  StepGuard guard;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    if (backend::onGpu && guard.stops()) return;
    backend::forPrepared(blocks, blockSize, k, integrator,
                         [this](int i, Prepared prepared) { integrator.open(i, prepared); });
  }
  KOKKOS_INLINE_FUNCTION void operator()(int k, ThermoSums& sums) const {
    if (backend::onGpu && guard.stops()) return;
    backend::forPrepared(blocks, blockSize, k, integrator,
                         [&](int i, Prepared prepared) { integrator.open(i, prepared, sums); });
  }
};

}  // namespace mesowarp
