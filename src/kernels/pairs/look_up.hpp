// Numbers out of a table, by an index that has been computed as a number: for a GPU's thread one, for a CPU's vector
// one in each lane.
#pragma once

#include "core/lanes.hpp"
#include "device/config.hpp"
#ifndef KOKKOS_ENABLE_CUDA
#include "device/pair_lanes_cpu.hpp"
#endif

namespace mesowarp::backend {

// x as an index; a whole number from 0 to 2^24.
KOKKOS_FORCEINLINE_FUNCTION u32 indexOf(float x) { return static_cast<u32>(x); }
KOKKOS_FORCEINLINE_FUNCTION u32 indexOf(double x) { return static_cast<u32>(x); }
// base[index].
KOKKOS_FORCEINLINE_FUNCTION float lookUp(const float* base, u32 index, float) { return base[index]; }
KOKKOS_FORCEINLINE_FUNCTION double lookUp(const double* base, u32 index, double) { return base[index]; }

#ifndef KOKKOS_ENABLE_CUDA
inline Keys indexOf(const Floats& x) { return Keys(__builtin_convertvector(x.v, Keys::Vector)); }
inline Keys indexOf(const WideFloats& x) {
  double numbers[Keys::width];
  store(numbers, x);
  return loadAs<Keys>(numbers);
}
inline Floats lookUp(const float* base, Keys index, const Floats& x) { return gather(base, index, x); }
inline WideFloats lookUp(const double* base, Keys index, const WideFloats& x) { return gather(base, index, x); }
#endif

}  // namespace mesowarp::backend
