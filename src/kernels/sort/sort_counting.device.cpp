#include "kernels/sort/sort_counting.hpp"

#include <algorithm>

namespace mesowarp::backend {
namespace {

// Thread i, of as many as there are particles or buckets, has up to three small jobs: particle i goes to its
// provisional slot, counter i is cleared for the next sort, and cell i gets its first particle.
struct FillBuckets {
  DeviceArray<u32> keys;
  DeviceArray<int> places, bucketStart, slots, counts, cellStart;
  int particles, buckets, cells, shift;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (i < particles) slots(bucketStart(keys(i) >> shift) + places(i)) = i;
    if (i < buckets) counts(i) = 0;
    if (shift != SortTask::cellShift && i <= cells) cellStart(i) = bucketStart(i << (SortTask::cellShift - shift));
  }
};

}  // namespace

SortInput CountingSort::begin(const SortTask& task, const SortPairs& pairs) {
  const int shift = task.bucketShift();
  const std::size_t size = static_cast<std::size_t>(task.buckets(shift)) + 1;
  if (counts_.extent(0) != size) counts_ = DeviceArray<int>("bucket counts", size);
  return {pairs.keys, pairs.values, counts_, true, shift};
}

SortedOrder CountingSort::finish(const SortTask& task, const SortPairs& pairs, const DeviceArray<int>& slots,
                                 const DeviceArray<int>& cellStart) {
  const int shift = task.bucketShift(), buckets = static_cast<int>(task.buckets(shift));
  const bool cellsAreBuckets = shift == SortTask::cellShift;
  if (!cellsAreBuckets && bucketStart_.extent(0) != counts_.extent(0))
    bucketStart_ = DeviceArray<int>(Kokkos::view_alloc("bucket start", Kokkos::WithoutInitializing), counts_.extent(0));
  const DeviceArray<int>& start = cellsAreBuckets ? cellStart : bucketStart_;
  scan_("bucket start", counts_, start);
  const int threads = std::max({task.particles, buckets, task.cells + 1});
  Kokkos::parallel_for("fill buckets", Range(0, threads),
                       FillBuckets{pairs.keys, pairs.values, start, slots, counts_, cellStart, task.particles, buckets,
                                   task.cells, shift});
  return {pairs.keys, slots, start, true, shift, task.firstBit};
}

}  // namespace mesowarp::backend
