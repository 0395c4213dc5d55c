// Stable sort of (key, value) pairs by the lowest `bits` bits of the key: CUB's radix sort on CUDA, elsewhere a radix
// sort over one chunk of the data a thread. Stable sorts have one answer, so both give the same order.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

// Keeps its buffers between calls; a call of the same size allocates nothing.
class Sorter {
 public:
  // Sorts in place; n = extent of both arrays.
  void sort(DeviceArray<u32>& keys, DeviceArray<int>& values, int bits);
  std::size_t bytes() const;

 private:
  DeviceArray<u32> otherKeys_;
  DeviceArray<int> otherValues_, counts_;
  DeviceArray<char> temporary_;
};

}  // namespace mesowarp::backend
