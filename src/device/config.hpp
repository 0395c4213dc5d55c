// What differs between a CUDA and a CPU build, as constants and aliases, so that few other files ask for the backend.
#pragma once

#include "core/sort_style.hpp"
#include "core/types.hpp"

namespace mesowarp::backend {

#ifdef KOKKOS_ENABLE_CUDA
constexpr bool onGpu = true;
// Memory that kernels write and the host reads without a copy (after a fence).
using SharedSpace = Kokkos::CudaHostPinnedSpace;
#else
constexpr bool onGpu = false;
using SharedSpace = Kokkos::HostSpace;
#endif

constexpr SortStyle defaultSort = SortStyle::counting;  // the fastest on either

}  // namespace mesowarp::backend
