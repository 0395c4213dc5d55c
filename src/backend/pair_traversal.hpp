// How a pair kernel is spread over threads: a particle for one or a few threads on a GPU, blocks of particles on a CPU.
#pragma once

#include "backend/config.hpp"
#include "backend/kokkos_compatibility.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backend/launch_gpu.hpp"
#include "backend/pair_row_gpu.hpp"
#else
#include "backend/pair_block_cpu.hpp"
#endif

namespace mesowarp::backend {

// Runs a kernel; with `sums`, as an observed step whose totals are added to it.
template <class Kernel>
void runKernel(const char* label, int count, const Kernel& kernel, ThermoSums* sums) {
  if (!sums) {
    Kokkos::parallel_for(label, Range(0, count), kernel);
    return;
  }
  ThermoSums total;
  Range range(0, count);
  if constexpr (onGpu) range.set_chunk_size(32);  // whole warps stay together
  Kokkos::parallel_reduce(label, range, kernel, SumReducer<ThermoSums>(total));
  *sums += total;
}

#ifdef KOKKOS_ENABLE_CUDA
// How many blocks a multiprocessor is to hold, and so how many registers a thread gets: the best of several on an H200.
template <class Kernel>
constexpr int minPairBlocks = sizeof(typename Kernel::Real) == 4 ? 10 : 8;

// `Lanes` threads a particle.
template <int Lanes, class Kernel>
void runSharedPairs(const char* label, int particles, const Kernel& kernel, ThermoSums* sums) {
  using Blocks = PairBlocks<Kernel, Lanes, 128>;
  if (sums)
    runKernel(label, (particles * Lanes + 31) / 32 * 32, PairLanes<Kernel, Lanes>{kernel, particles}, sums);
  else
    launchBlocks<128, minPairBlocks<Kernel>>(label, (particles + Blocks::rows - 1) / Blocks::rows, 128, Blocks::sharedBytes,
                                             Blocks{kernel, particles});
}

// Threads a particle: several where one each would not fill the device. Chosen by measurement on an H200; sums depend on it,
// so it must not depend on a run's history.
inline int lanesFor(int particles) {
  return particles < veryFewParticles ? 4 : particles < fewParticles ? 2 : 1;
}

template <class Kernel>
void runPairs(const char* label, int particles, const Kernel& kernel, ThermoSums* sums) {
  if constexpr (Kernel::Epilogue::last) {
    const int lanes = lanesFor(particles);
    if (lanes == 4) return runSharedPairs<4>(label, particles, kernel, sums);
    if (lanes == 2) return runSharedPairs<2>(label, particles, kernel, sums);
  }
  if (sums) return runKernel(label, particles, PairLanes<Kernel, 1>{kernel, particles}, sums);
  launchRange<128, minPairBlocks<Kernel>>(label, particles, PairLanes<Kernel, 1>{kernel, particles});
}
#else
template <class Kernel>
void runPairs(const char* label, int particles, const Kernel& kernel, ThermoSums* sums) {
  runKernel(label, (particles + blockSize - 1) / blockSize, PairBlockKernel<Kernel>{kernel, particles}, sums);
}
#endif

}  // namespace mesowarp::backend
