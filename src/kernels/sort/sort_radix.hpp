// The DPD paper's radix sort (section 3.2.1, Algorithm 2): for each digit of the key a histogram, a prefix sum and a
// permutation. Stable. Digits have 4 bits, the paper's choice, on a GPU, 8 on a CPU; a team of threads does a tile of
// the keys with counters in shared memory.
#pragma once

#include "device/config.hpp"
#include "kernels/sort/scan.hpp"
#include "kernels/sort/sort_order.hpp"

namespace mesowarp::backend {

// A call of the same size as the one before allocates nothing.
class RadixSort {
public:
  // Bits of a digit: the paper found 4 best on its GPU; a CPU core has room for the counters of 8.
  static constexpr int digitBits = onGpu ? 4 : 8;
  // Sorts by the bits from firstBit on and below `bits`. Both arguments are overwritten; returns the one that holds the
  // result (the paper copies it to the first).
  SortPairs sort(const SortPairs& pairs, const SortPairs& other, int bits, int firstBit = 0);
  std::size_t bytes() const { return (counts_.extent(0) + offsets_.extent(0)) * sizeof(int) + scan_.bytes(); }

private:
  DeviceArray<int> counts_, offsets_;
  Scanner scan_;
};

}  // namespace mesowarp::backend
