// Exclusive prefix sums on a CPU.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

struct ExclusiveScan {
  DeviceArray<int> in, out;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& sum, bool final) const {
    const int value = in(i);
    if (final) out(i) = sum;
    sum += value;
  }
};

inline void exclusiveScan(const char* label, const DeviceArray<int>& in, const DeviceArray<int>& out,
                          DeviceArray<char>&) {
  Kokkos::parallel_scan(label, Range(0, static_cast<int>(in.extent(0))), ExclusiveScan{in, out});
}

}  // namespace mesowarp::backend
