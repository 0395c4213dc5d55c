// Phases of a step: regions for Kokkos Tools, NVTX ranges in a CUDA build, and the host seconds spent in each.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "device/config.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include <nvtx3/nvToolsExt.h>
#endif

namespace mesowarp::backend {

using PhaseSeconds = std::map<std::string, double>;

// On a GPU work is asynchronous: a phase's seconds are those the host spent in it, waits included.
class Region {
public:
  Region(const char* name, PhaseSeconds& seconds) : seconds_(seconds[name]), start_(Clock::now()) {
    Kokkos::Profiling::pushRegion(name);
#ifdef KOKKOS_ENABLE_CUDA
    nvtxRangePushA(name);
#endif
  }
  ~Region() {
#ifdef KOKKOS_ENABLE_CUDA
    nvtxRangePop();
#endif
    Kokkos::Profiling::popRegion();
    seconds_ += std::chrono::duration<double>(Clock::now() - start_).count();
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace mesowarp::backend
