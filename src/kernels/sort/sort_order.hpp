// What kernels see of a sort: SortInput takes the keys, SortedOrder says where particles go.
#pragma once

#include "core/types.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/sort/bucket_gpu.hpp"
#endif

namespace mesowarp::backend {

struct SortPairs {
  DeviceArray<u32> keys;
  DeviceArray<int> values;
};

// Called once for each particle by the kernel that makes the keys. Before a counting sort it counts, too: `values` then
// holds a provisional place among the particles of the same bucket, in the order in which threads happened to come.
struct SortInput {
  DeviceArray<u32> keys;
  DeviceArray<int> values, counts;  // counts: of each bucket; read only when counting
  bool counting;
  int shift;  // the bucket is key >> shift

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, u32 key) const {
    keys(i) = key;
    values(i) = counting ? join(key >> shift) : i;
  }
  KOKKOS_FORCEINLINE_FUNCTION int join(u32 bucket) const {
#ifdef __CUDA_ARCH__
    return joinBucket(counts.data(), bucket);
#else
    return Kokkos::atomic_fetch_add(&counts(bucket), 1);
#endif
  }
};

// Where each particle goes. Plain: the keys and old indices in the new order. Ranked, from a counting sort: `values`
// has the old indices bucket after bucket, in any order within one; a particle's place is its rank there by (key, old
// index). Ranked threads go through the particles in the old order, so they read in order and write to nearly
// neighbouring places.
struct SortedOrder {
  DeviceArray<u32> keys;  // plain: sorted; ranked: in the old order
  DeviceArray<int> values;
  DeviceArray<int> bucketStart;  // ranked: first of `values` in each bucket; [buckets + 1]
  bool ranked;
  int shift, firstBit;  // ranked: the bucket is key >> shift; keys are sorted by their bits from firstBit on

  struct Place {
    int source, target;
    u32 key;
  };
  // Of thread i; each particle is one thread's.
  KOKKOS_FORCEINLINE_FUNCTION Place operator()(int i) const {
    if (!ranked) return {values(i), i, keys(i)};
    const u32 key = keys(i);
    const int first = bucketStart(key >> shift), last = bucketStart((key >> shift) + 1);
    return {i, first + (shift == firstBit ? rankByIndex(i, first, last) : rankByKey(i, key, first, last)), key};
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION int rankByIndex(int i, int first, int last) const {
    int rank = 0;
    for (int slot = first; slot < last; ++slot) rank += values(slot) < i ? 1 : 0;
    return rank;
  }
  KOKKOS_FORCEINLINE_FUNCTION int rankByKey(int i, u32 key, int first, int last) const {
    int rank = 0;
    for (int slot = first; slot < last; ++slot) {
      const int other = values(slot);
      const u32 a = keys(other) >> firstBit, b = key >> firstBit;
      rank += a < b || (a == b && other < i) ? 1 : 0;
    }
    return rank;
  }
};

}  // namespace mesowarp::backend
