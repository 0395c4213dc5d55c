// Once through all particles that are sorted by bricks (brick_task.hpp says to what end).
#pragma once

#include "core/types.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/bricks/brick_pass_gpu.hpp"
#else
#include "kernels/bricks/brick_pass_cpu.hpp"
#endif
