// A kernel over a range whose functor calls functions that are not inlined (MESOWARP_CALLED). They get parts of it by
// their addresses, and for that each thread of a Kokkos kernel copies all of the functor to its stack, on an H100 more
// traffic than all else that a short kernel does; here all threads read the one that the launch brought.
#pragma once

#include "core/types.hpp"
#include "device/config.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "device/launch_gpu.hpp"
#endif

namespace mesowarp::backend {

// Functor: void operator()(int) const, over [0, count). MinBlocks: of 128 threads that a multiprocessor must have room
// for, which limits registers.
template <int MinBlocks = 4, class Functor>
void launchCalling(const char* label, int count, const Functor& functor) {
#ifdef KOKKOS_ENABLE_CUDA
  launchRange<128, MinBlocks>(label, count, functor);
#else
  Kokkos::parallel_for(label, Range(0, count), functor);
#endif
}

}  // namespace mesowarp::backend
