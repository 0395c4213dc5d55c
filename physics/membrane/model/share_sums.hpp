// Adds the shares of all vertices to their cells' sums. On a GPU by warps: rows are in the order of tags, so that a
// warp has vertices of one cell, or of two; what it has of a cell is added up by shuffles, five words of five steps,
// and five of its threads add one word each to memory. 17 additions instead of 500 meet at an address.
#pragma once

#include "physics/membrane/model/cell_sums.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "device/launch_gpu.hpp"
#endif

namespace mesowarp::membrane {

#ifdef KOKKOS_ENABLE_CUDA
template <class Shares>
struct SharesByWarp {
  Shares shares;
  int count;
  __device__ void operator()(char*) const {
    constexpr u32 whole = 0xFFFFFFFFu, none = ~u32{0};
    const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const u32 lane = threadIdx.x % 32;
    u32 cell = none;
    i64 words[cellWords] = {};
    if (n < count && !shares.share(n, cell, words)) cell = none;
    for (u32 left = __ballot_sync(whole, cell != none); left != 0;) {
      const u32 one = __shfl_sync(whole, cell, __ffs(static_cast<int>(left)) - 1);
      left &= ~__ballot_sync(whole, cell == one);
      long long mine = 0;
      for (u32 w = 0; w < cellWords; ++w) {
        long long sum = cell == one ? words[w] : 0;
        for (int bits = 16; bits > 0; bits /= 2) sum += __shfl_xor_sync(whole, sum, bits);
        if (lane == w) mine = sum;
      }
      if (lane < cellWords)
        Kokkos::atomic_add(&shares.cells.sums(static_cast<std::size_t>(one) * cellWords + lane), mine);
    }
  }
};
#endif

template <class Shares>
void addUpShares(const Shares& shares, int rows) {
  constexpr const char* label = "membrane area and volume";
#ifdef KOKKOS_ENABLE_CUDA
  constexpr int threads = 128;
  backend::launchBlocks<threads, 1>(label, (rows + threads - 1) / threads, threads, 0,
                                    SharesByWarp<Shares>{shares, rows});
#else
  Kokkos::parallel_for(label, Range(0, rows), shares);
#endif
}

}  // namespace mesowarp::membrane
