// How a kernel of terms is spread over threads: a particle for each on a GPU, blocks of particles on a CPU, but for
// steps that somebody looks at, and very many slots, where particles go one by one everywhere.
#pragma once

#include "kernels/pairs/pair_traversal.hpp"
#ifndef KOKKOS_ENABLE_CUDA
#include "kernels/terms/term_blocks_cpu.hpp"
#endif

namespace mesowarp::backend {

template <class Kernel>
void runTerms(const char* label, int particles, const Kernel& kernel, ThermoSums* sums) {
#ifdef KOKKOS_ENABLE_CUDA
  runKernel(label, particles, kernel, sums);
#else
  if (sums || kernel.state.width > TermBlocks<Kernel>::mostSlots) return runKernel(label, particles, kernel, sums);
  const TermBlocks<Kernel> blocks(kernel, particles);
  Kokkos::parallel_for(label, Range(0, blocks.blocks()), blocks);
#endif
}

}  // namespace mesowarp::backend
