// Loops over the host's threads, in a CUDA build, too.
#pragma once

#include <algorithm>

#include "core/types.hpp"
#include "device/kokkos_compatibility.hpp"

namespace mesowarp {

// body(i) for first <= i < last, in any order and on several threads at once; it must not throw.
template <class Body>
void hostLoop(const char* label, i64 first, i64 last, const Body& body) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  if (first >= last) return;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Host, Kokkos::IndexType<i64>>(first, last), body);
  Host().fence();
}

// The lowest i below count for which bad(i), or count.
template <class Bad>
i64 hostFirst(const char* label, i64 count, const Bad& bad) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  i64 first = count;
  if (count == 0) return first;
  Kokkos::parallel_reduce(
      label, Kokkos::RangePolicy<Host, Kokkos::IndexType<i64>>(0, count),
      [&](i64 i, i64& lowest) {
        if (i < lowest && bad(i)) lowest = i;
      },
      Kokkos::Min<i64>(first));
  return std::min(first, count);
}

// What body(i, sum) adds to `sum` for first <= i < last, begun with Sum{}, on several threads at once; Sum: what has
// +=.
template <class Sum, class Body>
Sum hostSum(const char* label, i64 first, i64 last, const Body& body) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  Sum sum{};
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Host, Kokkos::IndexType<i64>>(first, last), body,
                          backend::SumReducer<Sum>(sum));
  return sum;
}

}  // namespace mesowarp
