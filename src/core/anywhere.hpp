// For functions that kernels call and that files without Kokkos call as well.
#pragma once

#ifdef __CUDACC__
#define MESOWARP_ANYWHERE __host__ __device__ inline
#else
#define MESOWARP_ANYWHERE inline
#endif
