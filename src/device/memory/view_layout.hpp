// Kokkos' views lie in functors, which the host fills and the device reads: both compilers must lay them out alike.
#pragma once

namespace mesowarp::backend {

// Kokkos has been initialized. Throws RunError if kernels would read wrong addresses; on a CPU that cannot be.
void checkViewLayout();

}  // namespace mesowarp::backend
