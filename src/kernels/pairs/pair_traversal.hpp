// How a pair kernel is spread over threads: a particle for one or a few threads on a GPU, blocks of particles on a CPU.
// In small systems two or four neighbouring threads of a GPU share a row (lanesFor), and a block collects its
// particles' forces in shared memory, so that the epilogue runs in whole warps (PairBlocks).
#pragma once

#include "device/config.hpp"
#include "device/kokkos_compatibility.hpp"
#include "device/tuning.hpp"
#include "kernels/pairs/particle_blocks.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "device/launch_gpu.hpp"
#include "kernels/pairs/pair_row_gpu.hpp"
#else
#include "kernels/pairs/pair_block_cpu.hpp"
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
constexpr int minPairBlocks = (sizeof(typename Kernel::Real) == 4 ? 10 : 8) -
                              (summedInTiles<typename Kernel::Sum> ? 2 : 0);

template <class Epilogue>
KOKKOS_FORCEINLINE_FUNCTION void prepareBlock(const Epilogue& epilogue, int first, int count,
                                              typename Epilogue::Prepared* prepared) {
  for (int l = 0; l < count; ++l) prepared[l] = epilogue.prepare(first + l);
}

// Threads a particle: several where one each would not fill the device. Chosen by measurement on an H200; sums depend
// on it, so it must not depend on a run's history.
inline int lanesFor(int particles) {
  return particles < tuning::fourThreadsBelow ? 4 : particles < tuning::twoThreadsBelow ? 2 : 1;
}

constexpr int pairThreads = 128;  // of a block
constexpr int pairWarps = pairThreads / 32;
// Particles of a block, as ParticleBlocks counts them.
inline int blockSizeFor(int particles) { return pairThreads / lanesFor(particles); }

// `Lanes` threads a particle.
template <int Lanes, class Kernel>
void runLanes(const char* label, const ParticleBlocks& blocks, const Kernel& kernel, ThermoSums* sums) {
  using OfThreads = PairLanes<Kernel, Lanes, pairThreads>;
  using OfBlocks = PairBlocks<Kernel, Lanes, pairThreads>;
  const int count = blocks.toDo(OfThreads::rows);
  if (count == 0) return;
  if (sums)
    runKernel(label, count * pairThreads, OfThreads{kernel, blocks}, sums);
  else if constexpr (Lanes == 1)
    launchRange<pairThreads, minPairBlocks<Kernel>>(label, count * pairThreads, OfThreads{kernel, blocks});
  else
    launchBlocks<pairThreads, minPairBlocks<Kernel>>(label, count, pairThreads, OfBlocks::sharedBytes,
                                                     OfBlocks{kernel, blocks});
}

template <class Kernel>
void runPairs(const char* label, const ParticleBlocks& blocks, const Kernel& kernel, ThermoSums* sums) {
  if constexpr (Kernel::Epilogue::last) {
    const int lanes = lanesFor(blocks.particles);
    if (lanes == 4) return runLanes<4>(label, blocks, kernel, sums);
    if (lanes == 2) return runLanes<2>(label, blocks, kernel, sums);
  }
  runLanes<1>(label, blocks, kernel, sums);
}
#else
inline int blockSizeFor(int) { return blockSize; }
constexpr int pairWarps = 1;  // there is no gate to pass

template <class Kernel>
void runPairs(const char* label, const ParticleBlocks& blocks, const Kernel& kernel, ThermoSums* sums) {
  runKernel(label, blocks.toDo(blockSize), PairBlockKernel<Kernel>{kernel, blocks}, sums);
}
#endif

}  // namespace mesowarp::backend
