// Counting sort by cell. Keys name cells of a few particles each, and that is all a sort needs to know:
//   1. The kernel that makes the keys counts the particles of each bucket (SortInput); what the counter held is a
//      provisional place. On a GPU the threads of a warp that meet in a bucket add up first (bucket_gpu.hpp).
//   2. A scan of the counts says where buckets begin (scan.hpp): nothing needs to look for boundaries.
//   3. Particles write their index to start + provisional place; the same kernel clears the counters for the next time.
//   4. The kernel that moves the particles goes through them in the old order, so it reads in order, and ranks each
//      within its bucket by (key, index) (SortedOrder).
//
// A bucket is a cell or, where cells hold many, some of its sub-cells, since ranks cost the square of what a bucket
// holds (SortTask::bucketShift). Stable: what threads' timing decides in 1 and 3 is gone after 4.
#pragma once

#include "device/tuning.hpp"
#include "kernels/sort/scan.hpp"
#include "kernels/sort/sort_order.hpp"

namespace mesowarp::backend {

// Keys of `particles`, below cells << cellShift, to be sorted by their bits from firstBit on.
struct SortTask {
  static constexpr int cellShift = 6;
  int particles, cells, bits, firstBit;

  // Sub-cells are buckets where cells hold many particles, since ranks cost the square of what a bucket holds.
  int bucketShift() const {
    int shift = cellShift;
    while (shift > firstBit && particles > tuning::fewInABucket * buckets(shift)) --shift;
    return shift;
  }
  i64 buckets(int shift) const { return i64{cells} << (cellShift - shift); }
};

// A call for the same number of buckets as the one before allocates nothing.
class CountingSort {
public:
  SortInput begin(const SortTask& task, const SortPairs& pairs);
  // Fills cellStart, [cells + 1], and `slots`.
  SortedOrder finish(const SortTask& task, const SortPairs& pairs, const DeviceArray<int>& slots,
                     const DeviceArray<int>& cellStart);
  std::size_t bytes() const { return (counts_.extent(0) + bucketStart_.extent(0)) * sizeof(int) + scan_.bytes(); }

private:
  DeviceArray<int> counts_;       // of each bucket, and a zero; all zero between two sorts
  DeviceArray<int> bucketStart_;  // where buckets are not cells
  Scanner scan_;
};

}  // namespace mesowarp::backend
