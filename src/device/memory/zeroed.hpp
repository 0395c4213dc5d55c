// Large arrays of zeros (device/memory/bytes.hpp says who clears them).
#pragma once

#include <new>
#include <stdexcept>

#include "device/memory/bytes.hpp"

namespace mesowarp {

namespace detail {

// Whether T{} is nothing but zeros.
template <class T>
bool zeroedByBytes() {
  alignas(T) char bytes[sizeof(T)] = {};
  new (bytes) T{};
  for (const char byte : bytes)
    if (byte != 0) return false;
  return true;
}

}  // namespace detail

template <class T>
void clearInParallel(const std::string& label, const DeviceArray<T>& array) {
  static_assert(std::is_trivially_copyable_v<T>);
  static const bool zeros = detail::zeroedByBytes<T>();
  if (!zeros) throw std::logic_error(label + ": an array of zeros of a type whose default is not zero");
  clearInParallel(label, array.data(), array.extent(0) * sizeof(T));
}

template <class T>
DeviceArray<T> zeroedArray(const std::string& label, std::size_t count) {
  DeviceArray<T> array(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count);
  clearInParallel(label, array);
  return array;
}

}  // namespace mesowarp
