// Memory of a GPU that other processes of the same host store into, over NVLink or PCIe, by CUDA's inter-process
// handles; and flags in it, by which they tell that they have.
#pragma once

#include <cuda.h>
#include <stdexcept>
#include <string>

#include "device/launch/flags_gpu.hpp"
#include "device/side_stream.hpp"

namespace mesowarp::backend {

constexpr bool hasPeerMemory = true;

// Behind the kernels before.
struct RaisePeerFlags {
  PeerFlags flags;
  __device__ void operator()(int way) const { raiseFlag(flags, way); }
};

// Until all are raised.
struct AwaitPeerFlags {
  PeerFlags flags;
  __device__ void operator()(int way) const { awaitFlag(flags, way); }
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
    Kokkos::parallel_for("raise flags", Range(side.instance(), 0, direction::count), RaisePeerFlags{flags});
  }
  static void await(SideStream& side, const PeerFlags& flags) {
    Kokkos::parallel_for("await flags", Range(side.instance(), 0, direction::count), AwaitPeerFlags{flags});
  }

private:
  static void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    throw std::runtime_error(std::string("peer memory, ") + what + ": " + cudaGetErrorString(error));
  }
};

}  // namespace mesowarp::backend
