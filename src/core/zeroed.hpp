// Large arrays, cleared by the threads that will work on them: on a machine with several memories a page lies with the
// thread that touches it first. (Kokkos' own constructors clear arrays of plain numbers from one thread in many
// versions after 3.4.)
#pragma once

#include <string>

#include "core/types.hpp"

namespace mesowarp {

template <class T>
struct ClearElements {
  T* first;
  KOKKOS_INLINE_FUNCTION void operator()(i64 i) const { first[i] = T{}; }
};

template <class View>
void clearInParallel(const std::string& label, const View& view) {
  using T = typename View::value_type;
  Kokkos::parallel_for("clear " + label,
                       Kokkos::RangePolicy<Execution, Kokkos::IndexType<i64>>(0, static_cast<i64>(view.span())),
                       ClearElements<T>{view.data()});
}

template <class T>
DeviceArray<T> zeroedArray(const std::string& label, std::size_t count) {
  DeviceArray<T> array(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count);
  clearInParallel(label, array);
  return array;
}

}  // namespace mesowarp
