// Kernels of several steps, launched as one CUDA graph: in small systems the gaps between launches count. On a CPU,
// nothing.
#pragma once

#include "device/config.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "device/step_graph_gpu.hpp"
#else
namespace mesowarp::backend {

class StepGraph {
public:
  static constexpr bool pays(int) { return false; }
  static constexpr bool paysForBodies(int) { return false; }
  void begin() {}
  void launch() {}
  void again() {}
};

}  // namespace mesowarp::backend
#endif
