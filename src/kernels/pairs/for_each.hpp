// Loops over a few numbers of a pair, written out: of a loop that GCC leaves a loop, arrays of vectors lie in memory,
// cleared by memset and copied by memcpy, where they could be registers.
#pragma once

#include <utility>

#include "core/types.hpp"

namespace mesowarp {
namespace detail {

template <class Body, int... K>
KOKKOS_FORCEINLINE_FUNCTION void forAll(const Body& body, std::integer_sequence<int, K...>) {
  (body(K), ...);
}

}  // namespace detail

// body(0) to body(N - 1). GCC may leave a long body out of line: `[&](int k) __attribute__((always_inline)) { … }`.
template <int N, class Body>
KOKKOS_FORCEINLINE_FUNCTION void forEach(const Body& body) {
  detail::forAll(body, std::make_integer_sequence<int, N>());
}

}  // namespace mesowarp
