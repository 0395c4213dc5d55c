// Which particles a pair kernel goes through: all, or some blocks of neighbouring ones.
#pragma once

#include "core/types.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include <cuda/atomic>
#endif

namespace mesowarp::backend {

struct ParticleBlocks {
  int particles = 0;          // in all
  const int* list = nullptr;  // on the device: numbers of the blocks; null: all
  int count = 0;              // of these
  int* gate = nullptr;        // on a GPU: what SideStream::afterGate() waits for
  int gated = 0;              // so many blocks, the first, are counted there as they are done

  // Of a warp of the k-th block that has written what it has to. None does where rows are missing: then nothing may be
  // sent.
  KOKKOS_FORCEINLINE_FUNCTION void passGate([[maybe_unused]] int k) const {
#ifdef __CUDA_ARCH__
    if (k >= gated) return;
    __syncwarp();
    // A release: __threadfence() would also throw away all that the multiprocessor has in L1.
    if (threadIdx.x % 32 == 0)
      cuda::atomic_ref<int, cuda::thread_scope_device>(*gate).fetch_add(1, cuda::memory_order_release);
#endif
  }

  KOKKOS_FORCEINLINE_FUNCTION int block(int k) const { return list ? list[k] : k; }
  // Blocks of so many particles that there are to do.
  int toDo(int size) const { return list ? count : (particles + size - 1) / size; }
};

}  // namespace mesowarp::backend
