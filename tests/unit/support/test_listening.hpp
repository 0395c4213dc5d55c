// Hears kernels and allocations through the Kokkos Tools callbacks.
#pragma once

#include <set>
#include <string>

#include "core/types.hpp"

namespace mesowarp::test {

struct Heard {
  std::multiset<std::string> kernels;
  std::multiset<std::string> allocations;
};
inline Heard heard;

inline void onKernel(const char* name, std::uint32_t, std::uint64_t*) { heard.kernels.insert(name); }
inline void onAllocation(Kokkos::Profiling::SpaceHandle, const char* name, const void*, std::uint64_t) {
  heard.allocations.insert(name);
}

// Kernels and allocations of what runs while it lives.
class Listening {
public:
  Listening() {
    heard = {};
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(onKernel);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(onKernel);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(onKernel);
    Kokkos::Tools::Experimental::set_allocate_data_callback(onAllocation);
  }
  ~Listening() {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(nullptr);
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  }
};

}  // namespace mesowarp::test
