// Once through all cells, behind a pass over particles: body(cell, sums) with a cell's sums, which are zero behind it.
// join(words, sums): a window's words as sums.
#pragma once

#include "kernels/bricks/brick_sums.hpp"

namespace mesowarp::backend {

// Of sums that lie in memory.
template <int Sums, class Body>
struct BodyOfCell {
  PlainSums<Sums> sums;
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(int cell) const {
    u64 own[Sums];
    sums.take(cell, own);
    body(cell, own);
  }
};

}  // namespace mesowarp::backend

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/bricks/cell_pass_gpu.hpp"
#else
#include "kernels/bricks/cell_pass_cpu.hpp"
#endif
