// Memory of a GPU that other processes of the same host store into. Only a CUDA build has it.
#pragma once

#include "device/config.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "device/peer_memory_gpu.hpp"
#else
namespace mesowarp::backend {
constexpr bool hasPeerMemory = false;
class PeerMemory;
}  // namespace mesowarp::backend
#endif
