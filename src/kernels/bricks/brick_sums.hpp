// Sums over cells, as a pass leaves them for who makes records of them: BrickSums<Words>, one class for a
// GPU and one for a CPU.
//
//   data()          [cells * sums] u64: what others may add to, and what a pass has added itself
//   view()          on a CPU: the same, cell by cell (plain_sums.hpp); on a GPU windows have a part (cell_pass_gpu.hpp)
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
