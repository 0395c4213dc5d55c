// Totals of accumulators (core/accumulators.hpp) from one thread of a warp to another.
#pragma once

#include <type_traits>

#include "core/types.hpp"

namespace mesowarp::backend {

// Adds that of the thread whose number differs in these bits: both then have the same, in the same order.
template <class Total>
KOKKOS_FORCEINLINE_FUNCTION void mergeLane(Total& total, [[maybe_unused]] int bits) {
#ifdef __CUDA_ARCH__
  using Number = decltype(total.sum);
  using Shuffled = std::conditional_t<std::is_same_v<Number, i64>, long long, Number>;
  Total other;
  other.sum = static_cast<Number>(__shfl_xor_sync(0xFFFFFFFFu, static_cast<Shuffled>(total.sum), bits));
  total.merge(other);
#endif
}

}  // namespace mesowarp::backend
