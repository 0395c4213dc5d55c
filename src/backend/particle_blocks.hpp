// Which particles a pair kernel goes through: all, or some blocks of neighbouring ones.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

struct ParticleBlocks {
  int particles = 0;           // in all
  const int* list = nullptr;   // on the device: numbers of the blocks; null: all
  int count = 0;               // of these
  int* gate = nullptr;         // on a GPU: what SideStream::afterGate() waits for
  int gated = 0;               // so many blocks, the first, are counted there as they are done

  // Of a warp of the k-th block that has written what it has to. None does where rows are missing: then nothing may be sent.
  KOKKOS_FORCEINLINE_FUNCTION void passGate([[maybe_unused]] int k) const {
#ifdef __CUDA_ARCH__
    if (k >= gated) return;
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
      __threadfence();
      atomicAdd(gate, 1);
    }
#endif
  }

  KOKKOS_FORCEINLINE_FUNCTION int block(int k) const { return list ? list[k] : k; }
  // Blocks of so many particles that there are to do.
  int toDo(int size) const { return list ? count : (particles + size - 1) / size; }
};

}  // namespace mesowarp::backend
