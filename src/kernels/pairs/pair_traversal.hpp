// How a pair kernel is spread over threads: a particle for one or a few threads on a GPU, blocks of particles on a CPU.
// In small systems two or four neighbouring threads of a GPU share a row (lanesFor), and a block collects its
// particles' forces in shared memory, so that the epilogue runs in whole warps (PairBlocks).
#pragma once

#include "device/config.hpp"
#include "device/launch/sum_over.hpp"
#include "device/tuning.hpp"
#include "kernels/pairs/particle_blocks.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "device/launch_gpu.hpp"
#include "kernels/pairs/pair_row_gpu.hpp"
#else
#include "kernels/pairs/pair_block_cpu.hpp"
#endif

namespace mesowarp::backend {

// Runs a kernel of an observed step, whose totals are added to `sums`.
template <class Kernel>
void runObserved(const char* label, int count, const Kernel& kernel, ThermoSums& sums) {
  sums += sumOver<ThermoSums>(label, count, kernel);
}

// Runs a kernel; with `sums`, as one of an observed step.
template <class Kernel>
void runKernel(const char* label, int count, const Kernel& kernel, ThermoSums* sums) {
  if (sums)
    runObserved(label, count, kernel, *sums);
  else
    Kokkos::parallel_for(label, Range(0, count), kernel);
}

#ifdef KOKKOS_ENABLE_CUDA
// How many blocks a multiprocessor is to hold, and so how many registers a thread gets: the best of several on an H200.
// A force with sums of its own holds three numbers more for each: both particles', and the sum.
template <class Kernel>
constexpr int usualPairBlocks = (sizeof(typename Kernel::Real) == 4 ? 10 : 8) -
                                (summedInTiles<typename Kernel::Sum> ? 2 : 0);
template <class Kernel>
constexpr int ownRegisters = 3 * Kernel::Force::Sums::Own::width* static_cast<int>(sizeof(typename Kernel::Real)) / 4;
template <class Kernel>
constexpr int minPairBlocks = 512 / (512 / usualPairBlocks<Kernel> + ownRegisters<Kernel>);

// Threads a particle: several where one each would not fill the device. Chosen by measurement on an H200; sums depend
// on it, so it must not depend on a run's history.
inline int lanesFor(int particles) {
  return particles < tuning::fourThreadsBelow ? 4 : particles < tuning::twoThreadsBelow ? 2 : 1;
}

constexpr int pairThreads = 128;  // of a block

// task(i, what the epilogue prepares of i) for the particles of some blocks, in so many indices k: one each.
inline int preparedIndices(const ParticleBlocks& blocks, int size) { return blocks.toDo(size) * size; }
template <class Epilogue, class Task>
KOKKOS_FORCEINLINE_FUNCTION void forPrepared(const ParticleBlocks& blocks, int size, int k, const Epilogue& epilogue,
                                             const Task& task) {
  const int i = blocks.block(k / size) * size + k % size;
  if (i < blocks.particles) task(i, epilogue.prepare(i));
}
constexpr int pairWarps = pairThreads / 32;
// Particles of a block, as ParticleBlocks counts them.
inline int blockSizeFor(int particles) { return pairThreads / lanesFor(particles); }

// `Lanes` threads a particle.
template <int Lanes, class Kernel>
void runLanes(const char* label, const ParticleBlocks& blocks, const Kernel& kernel) {
  const int count = blocks.toDo(pairThreads / Lanes);
  if (count == 0) return;
  if constexpr (Lanes == 1) {
    using OfThreads = PairThreads<Kernel, pairThreads>;
    launchRange<pairThreads, minPairBlocks<Kernel>>(label, count * pairThreads, OfThreads{kernel, blocks});
  } else {
    using OfBlocks = PairBlocks<Kernel, Lanes, pairThreads>;
    launchBlocks<pairThreads, minPairBlocks<Kernel>>(label, count, pairThreads, OfBlocks::sharedBytes,
                                                     OfBlocks{kernel, blocks});
  }
}

// Several threads a particle only for the last force of a step.
template <class Kernel>
void runPairs(const char* label, const ParticleBlocks& blocks, const Kernel& kernel) {
  if constexpr (Kernel::Epilogue::last) {
    const int lanes = lanesFor(blocks.particles);
    if (lanes == 4) return runLanes<4>(label, blocks, kernel);
    if (lanes == 2) return runLanes<2>(label, blocks, kernel);
  }
  runLanes<1>(label, blocks, kernel);
}

// The same in an observed step, whose totals are added to `sums`, and a particle's virial to its six numbers of
// `virial` (null: none).
template <class Kernel>
void observePairs(const char* label, const ParticleBlocks& blocks, const Kernel& kernel, ThermoSums& sums,
                  double* virial) {
  const int lanes = Kernel::Epilogue::last ? lanesFor(blocks.particles) : 1, count = blocks.toDo(pairThreads / lanes);
  if (count == 0) return;
  runObserved(label, count * pairThreads, ObservedPairs<Kernel, pairThreads>{kernel, blocks, lanes, virial}, sums);
}
#else
inline int blockSizeFor(int) { return blockSize; }
constexpr int pairWarps = 1;  // there is no gate to pass

// As on a GPU, but an index is a block: what is prepared of a particle, 16 rounds of TEA one after the other, takes a
// vector of them no longer than one.
inline int preparedIndices(const ParticleBlocks& blocks, int size) { return blocks.toDo(size); }
template <class Epilogue, class Task>
void forPrepared(const ParticleBlocks& blocks, int, int k, const Epilogue& epilogue, const Task& task) {
  const int first = blocks.block(k) * blockSize, count = std::min(blockSize, blocks.particles - first);
  typename Epilogue::Prepared prepared[blockSize];
  prepareBlock(epilogue, first, count, prepared);
  for (int l = 0; l < count; ++l) task(first + l, prepared[l]);
}

// Not inline, so that a source may leave instances to another one (physics/fluid/pair_blocks.hpp): what is compiled for
// each shape of a force, not for each force.
template <class Shape, class Epilogue>
void runBlocks(const char* label, const PairBlockKernel<Shape, Epilogue>& kernel) {
  Kokkos::parallel_for(label, Range(0, kernel.blocks.toDo(blockSize)), kernel);
}
template <class Shape, class Epilogue>
void observeBlocks(const char* label, const PairBlockKernel<Shape, Epilogue>& kernel, ThermoSums& sums) {
  runObserved(label, kernel.blocks.toDo(blockSize), kernel, sums);
}

template <class Kernel>
void runPairs(const char* label, const ParticleBlocks& blocks, const Kernel& kernel) {
  runBlocks(label, blockKernel<false>(kernel, blocks));
}
// In an observed step, as above.
template <class Kernel>
void observePairs(const char* label, const ParticleBlocks& blocks, const Kernel& kernel, ThermoSums& sums,
                  double* virial) {
  observeBlocks(label, blockKernel<true>(kernel, blocks, virial), sums);
}
#endif

}  // namespace mesowarp::backend
