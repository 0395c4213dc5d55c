// Once through all cells, behind a pass over particles: body(cell, sums) with a cell's sums, which are zero behind it;
// cell: its number, or, where that is known by the way, CellAt.
// join(words, sums): a window's words as sums. part: of the cells, as parts has it; of all, parts need not be.
#pragma once

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/bricks/cell_pass_gpu.hpp"
#else
#include "kernels/bricks/cell_pass_cpu.hpp"
#endif

namespace mesowarp::backend {

// Blocks of such a pass that a GPU has room for at once; 0: it is none of blocks.
template <class Words, class Join, class Body>
int cellBlocksAtOnce([[maybe_unused]] const BrickGrid& grid) {
#ifdef KOKKOS_ENABLE_CUDA
  using Pass = CellPass<Words, Join, Body>;
  return blocksAtOnce<Pass::threads, Pass::blocks, Pass>(Pass::threads, Pass::sharedBytes(grid));
#else
  return 0;
#endif
}

}  // namespace mesowarp::backend
