// Words of the host's memory that kernels store to: what they have seen, and that they have come so far.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

#include "device/config.hpp"

namespace mesowarp::backend {

// Until a kernel of the main stream has stored the value. Throws std::runtime_error if the device has failed.
inline void awaitStored(int* word, int value) {
  const auto stored = [&] { return std::atomic_ref<int>(*word).load(std::memory_order_acquire) == value; };
#ifdef KOKKOS_ENABLE_CUDA
  constexpr int looks = 1 << 14;  // some tens of microseconds
  for (int k = 1; !stored(); k = k % looks + 1) {
    if (k != looks) continue;
    const cudaError_t state = cudaStreamQuery(Execution().cuda_stream());
    if (state == cudaErrorNotReady) continue;
    if (state != cudaSuccess) throw std::runtime_error(std::string("a kernel failed: ") + cudaGetErrorString(state));
    if (!stored()) throw std::logic_error("no kernel stores what the host waits for");
  }
#else
  if (!stored()) throw std::logic_error("no kernel has stored what the host waits for");
#endif
}

}  // namespace mesowarp::backend
