// Which particles a pair kernel goes through: all, or some blocks of neighbouring ones.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

struct ParticleBlocks {
  int particles = 0;           // in all
  const int* list = nullptr;   // on the device: numbers of the blocks; null: all
  int count = 0;               // of these

  KOKKOS_FORCEINLINE_FUNCTION int block(int k) const { return list ? list[k] : k; }
  // Blocks of so many particles that there are to do.
  int toDo(int size) const { return list ? count : (particles + size - 1) / size; }
};

}  // namespace mesowarp::backend
