// Sums over cells, as a pass leaves them for who makes records of them: BrickSums<Words>, one class for a
// GPU and one for a CPU.
//
//   data()          [cells * sums] u64: what others may add to, and what a pass has added itself
//   view(shift)     for kernels that look at a few cells, of the shift with which the pass has added:
//                   read(join, cell, sums); join(words, sums): a window's words as sums
//   bytes()
#pragma once

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
