// Memory of a GPU that other processes of the same host store into, over NVLink or PCIe, by CUDA's inter-process
// handles; and flags in it, by which they tell that they have.
#pragma once

#include <cuda.h>
#include <stdexcept>
#include <string>

#include "device/launch/flags_gpu.hpp"
#include "device/launch_gpu.hpp"
#include "device/side_stream.hpp"

namespace mesowarp::backend {

constexpr bool hasPeerMemory = true;

// Both are there before the kernel before them is done, where that allows it, so that nothing has to be launched behind
// it. Behind the kernels before.
struct RaisePeerFlags {
  PeerFlags flags;
  __device__ void operator()(char*) const {
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    if (threadIdx.x < direction::count) raiseFlag(flags, static_cast<int>(threadIdx.x));
  }
};

// Until all are raised, and the kernels before are done.
struct AwaitPeerFlags {
  PeerFlags flags;
  __device__ void operator()(char*) const {
    if (threadIdx.x < direction::count) awaitFlag(flags, static_cast<int>(threadIdx.x));
    cudaGridDependencySynchronize();
  }
};

class PeerMemory {
public:
  using Handle = cudaIpcMemHandle_t;
  // An allocation, and where in it, in bytes.
  struct Address {
    Handle handle;
    std::size_t offset;
  };

  // Of this process' own memory, as cudaMalloc gives it. Throws std::runtime_error: a Kokkos that allocates in another
  // way (Kokkos_ENABLE_IMPL_CUDA_MALLOC_ASYNC) has memory that cannot be shared.
  static Address addressOf(const void* data) {
    Address address;
    CUdeviceptr base = 0;
    const auto at = reinterpret_cast<CUdeviceptr>(data);
    if (cuMemGetAddressRange(&base, nullptr, at) != CUDA_SUCCESS)
      throw std::runtime_error("peer memory: not of this GPU");
    check(cudaIpcGetMemHandle(&address.handle, reinterpret_cast<void*>(base)), "share");
    address.offset = at - base;
    return address;
  }
  // An allocation of another process.
  static char* open(const Address& address) {
    void* data = nullptr;
    check(cudaIpcOpenMemHandle(&data, address.handle, cudaIpcMemLazyEnablePeerAccess), "open");
    return static_cast<char*>(data);
  }
  static void close(char* data) { cudaIpcCloseMemHandle(data); }

  static void raise(SideStream& side, const PeerFlags& flags) {
    launchEarly<32, 1>("raise flags", 1, 32, 0, RaisePeerFlags{flags}, side.stream());
  }
  static void await(SideStream& side, const PeerFlags& flags) {
    launchEarly<32, 1>("await flags", 1, 32, 0, AwaitPeerFlags{flags}, side.stream());
  }

private:
  static void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    throw std::runtime_error(std::string("peer memory, ") + what + ": " + cudaGetErrorString(error));
  }
};

}  // namespace mesowarp::backend
