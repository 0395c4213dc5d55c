// How a pair kernel is spread over threads: a particle for one or a few threads on a GPU, blocks of particles on a CPU.
#pragma once

#include "backend/config.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backend/pair_row_gpu.hpp"
#else
#include "backend/pair_block_cpu.hpp"
#endif

namespace mesowarp::backend {

// Calls run(count, functor) once: a kernel of `count` indices.
template <class Kernel, class Run>
void traverse(const Kernel& kernel, int particles, const Run& run) {
#ifdef KOKKOS_ENABLE_CUDA
  constexpr int lanes = Kernel::Epilogue::last ? lanesOfFew : 1;
  const auto wholeWarps = [](int threads) { return (threads + 31) / 32 * 32; };
  if (particles < fewParticles) {
    run(wholeWarps(particles * lanes), PairLanes<Kernel, lanes>{kernel, particles});
  } else {
    run(particles, PairLanes<Kernel, 1>{kernel, particles});
  }
#else
  run((particles + blockSize - 1) / blockSize, PairBlockKernel<Kernel>{kernel, particles});
#endif
}

}  // namespace mesowarp::backend
