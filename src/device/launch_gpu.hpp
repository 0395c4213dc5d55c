// Launches a block-wise CUDA kernel with as much shared memory as the device allows for a block, which Kokkos' teams do
// not give; announced to Kokkos Tools like any other kernel.
#pragma once

#include <string>

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

template <int Threads, int MinBlocks, class Functor>
void launchBlocks(const char* label, dim3 blocks, int threads, std::size_t sharedBytes, const Functor& functor,
                  cudaStream_t stream, bool early) {
  static_assert(sizeof(Functor) <= 4000, "a kernel's arguments have 4 KB");
  if (blocks.x == 0) return;
  const bool listening = Kokkos::Tools::profileLibraryLoaded();
  std::uint64_t id = 0;
  if (listening) Kokkos::Tools::beginParallelFor(label, 0, &id);
  const auto kernel = runBlocks<Functor, Threads, MinBlocks>;
  if (sharedBytes > 48 * 1024)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sharedBytes));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = early ? 1 : 0;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks, config.blockDim = dim3(threads), config.dynamicSmemBytes = sharedBytes,
  config.stream = stream;
  config.attrs = &attribute, config.numAttrs = early ? 1 : 0;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, functor);
  if (error != cudaSuccess) throw std::runtime_error(std::string(label) + ": " + cudaGetErrorString(error));
  if (listening) Kokkos::Tools::endParallelFor(id);
}

// Functor: void operator()(char* sharedMemory) const, for each thread of each block; at most Threads a block.
template <int Threads, int MinBlocks, class Functor>
void launchBlocks(const char* label, dim3 blocks, int threads, std::size_t sharedBytes, const Functor& functor,
                  cudaStream_t stream = Execution().cuda_stream()) {
  launchBlocks<Threads, MinBlocks>(label, blocks, threads, sharedBytes, functor, stream, false);
}
// The same; but its blocks may come before the kernel before has ended, and must themselves wait for that
// (cudaGridDependencySynchronize) before they read or write memory. How early, the kernel before says, if it does
// (cudaTriggerProgrammaticLaunchCompletion).
template <int Threads, int MinBlocks, class Functor>
void launchEarly(const char* label, dim3 blocks, int threads, std::size_t sharedBytes, const Functor& functor) {
  launchBlocks<Threads, MinBlocks>(label, blocks, threads, sharedBytes, functor, Execution().cuda_stream(), true);
}

// Blocks of such a kernel that a GPU has room for at once.
template <int Threads, int MinBlocks, class Functor>
int blocksAtOnce(int threads, std::size_t sharedBytes) {
  const auto kernel = runBlocks<Functor, Threads, MinBlocks>;
  if (sharedBytes > 48 * 1024)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sharedBytes));
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
