// How a pair kernel is spread over threads: a particle a thread on a GPU, blocks of particles on a CPU.
#pragma once

#include "backend/config.hpp"
#include "backend/pair_row.hpp"
#ifndef KOKKOS_ENABLE_CUDA
#include "backend/pair_block_cpu.hpp"
#endif

namespace mesowarp::backend {

#ifdef KOKKOS_ENABLE_CUDA
template <class Kernel>
int threadsOf(const Kernel&, int particles) {
  return particles;
}
template <class Kernel>
const Kernel& traversalOf(const Kernel& kernel, int) {
  return kernel;
}
#else
template <class Kernel>
int threadsOf(const Kernel&, int particles) {
  return (particles + blockSize - 1) / blockSize;
}
template <class Kernel>
PairBlockKernel<Kernel> traversalOf(const Kernel& kernel, int particles) {
  return {kernel, particles};
}
#endif

}  // namespace mesowarp::backend
