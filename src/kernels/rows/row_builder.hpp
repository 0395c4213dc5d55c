// Builds the rows of the neighbour table, each backend in its own way: class RowBuilder.
#pragma once

#include "kernels/rows/row_input.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/rows/row_builder_gpu.hpp"
#else
#include "kernels/rows/row_builder_cpu.hpp"
#endif
