// Once through all cells, behind a pass over particles: body(cell, sums) with a cell's sums, which are zero behind it.
// join(words, sums): a window's words as sums. part: of the cells, as parts has it; of all, parts need not be.
#pragma once

#include "kernels/bricks/brick_sums.hpp"
#include "kernels/bricks/cell_parts.hpp"
#include "kernels/bricks/plain_sums.hpp"

namespace mesowarp::backend {

// Of sums that lie in memory.
template <int Sums, class Body>
struct BodyOfCell {
  PlainSums<Sums> sums;
  Body body;
  BrickGrid grid{};
  InnerCells inner{};
  CellPart part = CellPart::all;
  KOKKOS_INLINE_FUNCTION void operator()(int cell) const {
    if (part != CellPart::all && inner.has(grid, cell) != (part == CellPart::inner)) return;
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
