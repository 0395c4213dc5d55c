// Whether a step's kernels may do what they are for. On a GPU steps are launched before the host knows that they may
// run: the list that they walk may lack rows, or a particle may have left its half skin in a step before. A kernel that
// is stopped does nothing; the host sees that later and launches its step again.
#pragma once

#include <limits>

#include "core/types.hpp"

namespace mesowarp {

struct StepGuard {
  static constexpr i64 never = std::numeric_limits<i64>::max();

  const int* incomplete = nullptr;  // on the device: 1 if the list lacks rows; null: it never does
  const i64* staleFrom =
      nullptr;  // on the device: the first step that the list is too old for; null: the host sees to that
  i64 step = 0;

  KOKKOS_INLINE_FUNCTION bool stops() const {
    return (incomplete != nullptr && *incomplete != 0) || (staleFrom != nullptr && *staleFrom <= step);
  }
};

}  // namespace mesowarp
