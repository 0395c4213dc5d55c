// Loops over the host's threads, in a CUDA build, too.
#pragma once

#include "core/types.hpp"

namespace mesowarp {

// body(i) for first <= i < last, in any order and on several threads at once; it must not throw.
template <class Body>
void hostLoop(const char* label, i64 first, i64 last, const Body& body) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  if (first >= last) return;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Host, Kokkos::IndexType<i64>>(first, last), body);
  Host().fence();
}

}  // namespace mesowarp
