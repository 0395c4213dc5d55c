// For functions that kernels call and that files without Kokkos call as well.
#pragma once

#ifdef __CUDACC__
#define MESOWARP_ANYWHERE __host__ __device__ inline
// Of a long function that a kernel wants in many places: a device calls it, so that the kernel's text stays in the
// cache of instructions.
#define MESOWARP_CALLED __host__ __device__ __noinline__
#else
#define MESOWARP_ANYWHERE inline
#define MESOWARP_CALLED inline
#endif
