// The library's stable sort: CUB's radix sort on CUDA, elsewhere std::stable_sort, on one thread.
#pragma once

#include <vector>

#include "kernels/sort/sort_order.hpp"

namespace mesowarp::backend {

class LibrarySort {
public:
  // Sorts by the bits from firstBit on and below `bits`. Both arguments are overwritten; returns the one that holds the
  // result.
  SortPairs sort(const SortPairs& pairs, const SortPairs& other, int bits, int firstBit = 0);
  std::size_t bytes() const { return temporary_.extent(0) + packed_.capacity() * sizeof(u64); }

private:
  DeviceArray<char> temporary_;
  std::vector<u64> packed_;
};

}  // namespace mesowarp::backend
