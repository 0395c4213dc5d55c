// Sorts keys that are at hand as an array, and writes the order down: for tests and benchmarks. A rebuild has a kernel
// of its own on either side of the sort.
#pragma once

#include "kernels/sort/sort.hpp"

namespace mesowarp::backend {

struct FeedKeys {
  DeviceArray<u32> keys;
  SortInput sort;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { sort(i, keys(i)); }
};

struct WriteOrder {
  SortedOrder order;
  SortPairs to;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto place = order(i);
    to.keys(place.target) = place.key;
    to.values(place.target) = place.source;
  }
};

class KeySorter {
public:
  KeySorter(SortStyle style, const SortTask& task)
      : task_(task), sorter_(style), memory_{pairs(), pairs()}, written_(pairs()),
        cellStart_("cell start", task.cells + 1) {}

  // Sorted keys and where each comes from; valid until the next call. Allocates nothing from the second call on.
  SortPairs operator()(const DeviceArray<u32>& keys) {
    const Range all(0, task_.particles);
    Kokkos::parallel_for("feed keys", all, FeedKeys{keys, sorter_.begin(task_, memory_[0], memory_[1])});
    const SortedOrder order = sorter_.finish(cellStart_);
    if (!order.ranked) return {order.keys, order.values};
    Kokkos::parallel_for("write order", all, WriteOrder{order, written_});
    return written_;
  }
  // First of each cell, [cells + 1]; only a counting sort fills it.
  const DeviceArray<int>& cellStart() const { return cellStart_; }
  std::size_t bytes() const { return sorter_.bytes(); }

private:
  SortPairs pairs() const {
    return {DeviceArray<u32>("keys to sort", task_.particles), DeviceArray<int>("order", task_.particles)};
  }
  SortTask task_;
  Sorter sorter_;
  SortPairs memory_[2], written_;
  DeviceArray<int> cellStart_;
};

}  // namespace mesowarp::backend
