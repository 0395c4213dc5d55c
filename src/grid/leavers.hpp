// Particles that have left the domain, as a kernel finds them.
#pragma once

#include "core/domain.hpp"
#include "device/config.hpp"

namespace mesowarp {

struct Leavers {
  DeviceArray<int> index, way;  // in any order; as many as there is room for
  DeviceArray<int> counts;      // leavers in all, then of each way

  KOKKOS_INLINE_FUNCTION void add(int particle, int leavesTo) const {
    const int slot = Kokkos::atomic_fetch_add(&counts(0), 1);
    Kokkos::atomic_fetch_add(&counts(1 + leavesTo), 1);
    if (slot >= static_cast<int>(index.extent(0))) return;
    index(slot) = particle;
    way(slot) = leavesTo;
  }
};

}  // namespace mesowarp
