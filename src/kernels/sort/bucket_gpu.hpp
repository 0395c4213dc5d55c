// Counting particles into buckets on a GPU.
#pragma once

#include <cooperative_groups.h>

#include "core/types.hpp"

namespace mesowarp::backend {

// Adds one to a bucket's counter and returns what it was. Neighbouring threads mostly meet in the same few buckets,
// since particles were sorted a few steps ago: threads of a warp that do add up first, and one of them touches the
// counter.
__device__ inline int joinBucket(int* counts, u32 bucket) {
  namespace cg = cooperative_groups;
  const cg::coalesced_group mates = cg::labeled_partition(cg::coalesced_threads(), bucket);
  int before = 0;
  if (mates.thread_rank() == 0) before = atomicAdd(counts + bucket, static_cast<int>(mates.size()));
  return mates.shfl(before, 0) + static_cast<int>(mates.thread_rank());
}

}  // namespace mesowarp::backend
