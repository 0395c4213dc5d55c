// Memory of a GPU that other processes of the same host store into, over NVLink or PCIe, by CUDA's inter-process handles; and
// flags in it, by which they tell that they have.
#pragma once

#include <cuda/atomic>

#include <stdexcept>
#include <string>

#include "backend/side_stream.hpp"
#include "core/direction.hpp"

namespace mesowarp::backend {

constexpr bool hasPeerMemory = true;

struct PeerFlags {
  u32* flag[direction::count];  // null: none that way
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
  using Flags = PeerFlags;

  // Of this process, cleared. Throws RunError.
  static char* allocate(std::size_t bytes) {
    void* data = nullptr;
    check(cudaMalloc(&data, bytes), "allocate");
    check(cudaMemset(data, 0, bytes), "clear");
    check(cudaDeviceSynchronize(), "clear");
    return static_cast<char*>(data);
  }
  static void free(char* data) { cudaFree(data); }
  static Handle handleOf(char* data) {
    Handle handle;
    check(cudaIpcGetMemHandle(&handle, data), "share");
    return handle;
  }
  // Of another process.
  static char* open(const Handle& handle) {
    void* data = nullptr;
    check(cudaIpcOpenMemHandle(&data, handle, cudaIpcMemLazyEnablePeerAccess), "open");
    return static_cast<char*>(data);
  }
  static void close(char* data) { cudaIpcCloseMemHandle(data); }

  // The flag at the beginning of this process' own memory, read by the host.
  static u32 read(const char* data) {
    u32 flag = 0;
    check(cudaMemcpy(&flag, data, sizeof flag, cudaMemcpyDeviceToHost), "read");
    return flag;
  }
  static void raise(SideStream& side, const PeerFlags& flags) {
    Kokkos::parallel_for("raise flags", range(side), RaisePeerFlags{flags});
  }
  static void await(SideStream& side, const PeerFlags& flags) {
    Kokkos::parallel_for("await flags", range(side), AwaitPeerFlags{flags});
  }

 private:
  static Kokkos::RangePolicy<Execution, Kokkos::IndexType<int>, LightWeight> range(const SideStream& side) {
    return Kokkos::RangePolicy<Execution, Kokkos::IndexType<int>, LightWeight>(side.instance(), 0, direction::count);
  }
  static void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    throw std::runtime_error(std::string("peer memory, ") + what + ": " + cudaGetErrorString(error));
  }
};

}  // namespace mesowarp::backend
