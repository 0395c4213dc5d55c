// Sums over cells, as a pass leaves them for who makes records of them: BrickSums<Words>, one class for a
// GPU and one for a CPU.
//
//   data()          [cells * sums] u64: what others may add to, and what a pass has added itself
//   view(shift)     for kernels that look at a few cells, of the shift with which the pass has added:
//                   read(join, cell, sums); join(words, sums): a window's words as sums
//   bytes()
#pragma once

#include "device/memory/zeroed.hpp"

namespace mesowarp {

// Sums that lie in memory alone.
template <int Sums>
struct PlainSums {
  u64* sum;
  template <class Join>
  KOKKOS_FORCEINLINE_FUNCTION void read(const Join&, int cell, u64 (&to)[Sums]) const {
    const u64* const from = sum + static_cast<std::size_t>(cell) * Sums;
    for (int k = 0; k < Sums; ++k) to[k] = from[k];
  }
  // Zero behind it.
  KOKKOS_FORCEINLINE_FUNCTION void take(int cell, u64 (&to)[Sums]) const {
    u64* const from = sum + static_cast<std::size_t>(cell) * Sums;
    for (int k = 0; k < Sums; ++k) to[k] = from[k], from[k] = 0;
  }
};

}  // namespace mesowarp

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/bricks/brick_sums_gpu.hpp"
namespace mesowarp::backend {
template <class Words>
using BrickSums = WindowedSums<Words>;
}
#else
#include "kernels/bricks/brick_sums_cpu.hpp"
namespace mesowarp::backend {
template <class Words>
using BrickSums = SumsInMemory<Words>;
}
#endif
