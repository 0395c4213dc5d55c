#include "kernels/sort/sort.hpp"

namespace mesowarp::backend {

SortInput Sorter::begin(const SortTask& task, const SortPairs& pairs, const SortPairs& other) {
  task_ = task, pairs_ = pairs, other_ = other;
  if (style_ == SortStyle::counting) return counting_.begin(task, pairs);
  return {pairs.keys, pairs.values, {}, false, 0};
}

SortedOrder Sorter::finish(const DeviceArray<int>& cellStart) {
  if (style_ == SortStyle::counting) return counting_.finish(task_, pairs_, other_.values, cellStart);
  const SortPairs sorted = style_ == SortStyle::radix ? radix_.sort(pairs_, other_, task_.bits, task_.firstBit)
                                                      : library_.sort(pairs_, other_, task_.bits, task_.firstBit);
  return {sorted.keys, sorted.values, {}, false, 0, task_.firstBit};
}

}  // namespace mesowarp::backend
