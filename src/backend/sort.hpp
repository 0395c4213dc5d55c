// Stable sort of (key, value) pairs by the lowest `bits` bits of the key: CUB's radix sort on CUDA, elsewhere a radix
// sort over one chunk of the data a thread. Stable sorts have one answer, so both give the same order.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

// Keeps its small buffers between calls; a call of the same size allocates nothing.
class Sorter {
 public:
  struct Pairs {
    DeviceArray<u32> keys;
    DeviceArray<int> values;
  };
  // Sorts by the bits from firstBit on and below `bits`. Both arguments are overwritten; returns the one that holds the
  // result.
  Pairs sort(const Pairs& pairs, const Pairs& other, int bits, int firstBit = 0);
  std::size_t bytes() const;

 private:
  DeviceArray<int> counts_;
  DeviceArray<char> temporary_;
};

}  // namespace mesowarp::backend
