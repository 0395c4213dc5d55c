// What parts of an all-pairs sum have got on a GPU, merged. Included by all_pairs_gpu.hpp.
#pragma once

#include "device/launch_gpu.hpp"
#include "kernels/all_pairs/pairs_parts.hpp"

namespace mesowarp::backend {

// A block for 32 bodies: each warp merges a run of the parts, then what the warps have is merged, in order.
template <class Law, template <class> class SumOf>
struct MergeBlock {
  static constexpr int warps = 8, channels = Law::channels;
  using Total = typename SumOf<typename Law::Scalar>::Total;
  MergeParts<Law, SumOf> parts;

  __device__ void operator()(char* shared) const {
    Total* const all = reinterpret_cast<Total*>(shared);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, k = blockIdx.x * 32 + lane;
    const bool exists = k < parts.task.activeCount;
    cudaGridDependencySynchronize();
    Total total[channels];
    if (exists) parts.merge(k, parts.parts * warp / warps, parts.parts * (warp + 1) / warps, total);
    for (int c = 0; c < channels; ++c) all[(warp * channels + c) * 32 + lane] = total[c];
    __syncthreads();
    if (warp > 0 || !exists) return;
    for (int w = 1; w < warps; ++w)
      for (int c = 0; c < channels; ++c) total[c].merge(all[(w * channels + c) * 32 + lane]);
    finishBody<Law, SumOf>(parts.task, k, total);
  }
};

}  // namespace mesowarp::backend
