// Where an array is, as a kernel knows it: plain numbers, which nobody counts. A kernel with views of Kokkos in it
// takes code that counts their owners wherever it is copied, on every host and for every kernel.
#pragma once

#include <cstddef>

#include "core/types.hpp"

namespace mesowarp {

template <class T>
struct ArrayRef {
  T* first = nullptr;
  std::size_t count = 0;

  ArrayRef() = default;
  template <class Of, class... Properties>
  ArrayRef(const Kokkos::View<Of, Properties...>& array) : first(array.data()), count(array.size()) {}

  KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::size_t i) const { return first[i]; }
  KOKKOS_FORCEINLINE_FUNCTION T* data() const { return first; }
};

}  // namespace mesowarp
