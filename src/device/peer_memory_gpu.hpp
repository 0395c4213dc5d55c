// Memory of a GPU that other processes of the same host store into, over NVLink or PCIe, by CUDA's inter-process
// handles; and flags in it, by which they tell that they have.
#pragma once

#include <array>
#include <cuda.h>
#include <cuda/atomic>
#include <stdexcept>
#include <string>

#include "core/direction.hpp"
#include "device/side_stream.hpp"

namespace mesowarp::backend {

constexpr bool hasPeerMemory = true;

struct PeerFlags {
  std::array<u32*, direction::count> flag;  // null: none that way
  u32 value;
};

// A release: what kernels before it have stored is there for whoever sees the flag.
struct RaisePeerFlags {
  PeerFlags flags;
  __device__ void operator()(int way) const {
    if (flags.flag[way] == nullptr) return;
    cuda::atomic_ref<u32, cuda::thread_scope_system> flag(*flags.flag[way]);
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system);
    flag.store(flags.value, cuda::memory_order_release);
  }
};

// Waits for all flags to be raised to the value, or beyond.
struct AwaitPeerFlags {
  PeerFlags flags;
  __device__ void operator()(int way) const {
    if (flags.flag[way] == nullptr) return;
    cuda::atomic_ref<u32, cuda::thread_scope_system> flag(*flags.flag[way]);
    while (static_cast<i32>(flag.load(cuda::memory_order_relaxed) - flags.value) < 0) __nanosleep(100);
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
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
