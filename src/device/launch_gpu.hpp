// Launches a block-wise CUDA kernel with as much shared memory as the device allows for a block, which Kokkos' teams do
// not give; announced to Kokkos Tools like any other kernel.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

template <class Functor, int Threads, int MinBlocks>
__global__ void __launch_bounds__(Threads, MinBlocks) runBlocks(const __grid_constant__ Functor functor) {
  extern __shared__ __align__(32) char sharedMemory[];
  functor(sharedMemory);
}

// Most bytes of shared memory a block can have.
inline std::size_t mostSharedMemory() {
  int device = 0, bytes = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return static_cast<std::size_t>(bytes);
}

// What a launch says beside the kernel.
struct BlockLaunch {
  const char* label;
  dim3 blocks;
  int threads;
  std::size_t sharedBytes;
  cudaStream_t stream;
  bool early;
};
// kernel: a __global__ function of one argument. Not a template: there are a thousand kernels. Throws
// std::runtime_error if CUDA does not take it.
void launchBlockKernel(const BlockLaunch& launch, const void* kernel, const void* functor);
// A kernel that is to have more shared memory than most has to be told.
void allowSharedMemory(const void* kernel, std::size_t bytes);

template <int Threads, int MinBlocks, class Functor>
void launchBlocks(const BlockLaunch& launch, const Functor& functor) {
  static_assert(sizeof(Functor) <= 4000, "a kernel's arguments have 4 KB");
  launchBlockKernel(launch, reinterpret_cast<const void*>(runBlocks<Functor, Threads, MinBlocks>), &functor);
}

// Functor: void operator()(char* sharedMemory) const, for each thread of each block; at most Threads a block.
template <int Threads, int MinBlocks, class Functor>
void launchBlocks(const char* label, dim3 blocks, int threads, std::size_t sharedBytes, const Functor& functor,
                  cudaStream_t stream = Execution().cuda_stream()) {
  launchBlocks<Threads, MinBlocks>(BlockLaunch{label, blocks, threads, sharedBytes, stream, false}, functor);
}
// The same; but its blocks may come before the kernel before has ended, and must themselves wait for that
// (cudaGridDependencySynchronize) before they read or write memory. How early, the kernel before says, if it does
// (cudaTriggerProgrammaticLaunchCompletion).
template <int Threads, int MinBlocks, class Functor>
void launchEarly(const char* label, dim3 blocks, int threads, std::size_t sharedBytes, const Functor& functor,
                 cudaStream_t stream = Execution().cuda_stream()) {
  launchBlocks<Threads, MinBlocks>(BlockLaunch{label, blocks, threads, sharedBytes, stream, true}, functor);
}

// Blocks of such a kernel that a GPU has room for at once.
template <int Threads, int MinBlocks, class Functor>
int blocksAtOnce(int threads, std::size_t sharedBytes) {
  const auto kernel = runBlocks<Functor, Threads, MinBlocks>;
  allowSharedMemory(reinterpret_cast<const void*>(kernel), sharedBytes);
  int device = 0, processors = 0, blocks = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, sharedBytes);
  return blocks * processors;
}

template <class Functor>
struct OverRange {
  Functor functor;
  int count;
  __device__ void operator()(char*) const {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) functor(i);
  }
};

// Functor: void operator()(int) const, over [0, count), in blocks of exactly Threads.
template <int Threads, int MinBlocks, class Functor>
void launchRange(const char* label, int count, const Functor& functor,
                 cudaStream_t stream = Execution().cuda_stream()) {
  launchBlocks<Threads, MinBlocks>(label, (count + Threads - 1) / Threads, Threads, 0,
                                   OverRange<Functor>{functor, count}, stream);
}

}  // namespace mesowarp::backend
