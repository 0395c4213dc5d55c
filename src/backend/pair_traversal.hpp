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
template <class Kernel>
void runPairs(const char* label, int particles, const Kernel& kernel, ThermoSums* sums) {
  constexpr int lanes = Kernel::Epilogue::last ? lanesOfFew : 1;
  // The best of several block sizes and register limits on an H200: large blocks share more neighbours in the first-level
  // cache, but need few registers.
  constexpr bool narrow = sizeof(typename Kernel::Real) == 4;
  constexpr int threads = 128, minBlocks = narrow ? 10 : 8;
  if (particles < fewParticles) {
    const int wholeWarps = (particles * lanes + 31) / 32 * 32;
    runKernel(label, wholeWarps, PairLanes<Kernel, lanes>{kernel, particles}, sums);
  } else if (sums) {
    runKernel(label, particles, PairLanes<Kernel, 1>{kernel, particles}, sums);
  } else {
    launchRange<threads, minBlocks>(label, particles, PairLanes<Kernel, 1>{kernel, particles});
  }
}
#else
template <class Kernel>
void runPairs(const char* label, int particles, const Kernel& kernel, ThermoSums* sums) {
  runKernel(label, (particles + blockSize - 1) / blockSize, PairBlockKernel<Kernel>{kernel, particles}, sums);
}
#endif

}  // namespace mesowarp::backend
