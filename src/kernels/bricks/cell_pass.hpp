// Once through all cells, behind a pass over particles: body(cell, sums) with a cell's sums, which are zero behind it.
// join(words, sums): a window's words as sums. part: of the cells, as parts has it; of all, parts need not be.
#pragma once

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/bricks/cell_pass_gpu.hpp"
#else
#include "kernels/bricks/cell_pass_cpu.hpp"
#endif
