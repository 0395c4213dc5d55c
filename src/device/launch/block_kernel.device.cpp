// Launches of block-wise kernels (launch_gpu.hpp).
#include "device/config.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <stdexcept>
#include <string>

#include "device/launch_gpu.hpp"

namespace mesowarp::backend {

void allowSharedMemory(const void* kernel, std::size_t bytes) {
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

void launchBlockKernel(const BlockLaunch& launch, const void* kernel, const void* functor) {
  if (launch.blocks.x == 0) return;
  const bool listening = Kokkos::Tools::profileLibraryLoaded();
  std::uint64_t id = 0;
  if (listening) Kokkos::Tools::beginParallelFor(launch.label, 0, &id);
  allowSharedMemory(kernel, launch.sharedBytes);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = launch.blocks, config.blockDim = dim3(launch.threads);
  config.dynamicSmemBytes = launch.sharedBytes, config.stream = launch.stream;
  config.attrs = &attribute, config.numAttrs = launch.early ? 1 : 0;
  void* arguments[] = {const_cast<void*>(functor)};
  const cudaError_t error = cudaLaunchKernelExC(&config, kernel, arguments);
  if (error != cudaSuccess) throw std::runtime_error(std::string(launch.label) + ": " + cudaGetErrorString(error));
  if (listening) Kokkos::Tools::endParallelFor(id);
}

}  // namespace mesowarp::backend
#endif
