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
void expectZeros(const std::string& label) {
  static_assert(std::is_trivially_copyable_v<T>);
  static const bool zeros = detail::zeroedByBytes<T>();
  if (!zeros) throw std::logic_error(label + ": an array of zeros of a type whose default is not zero");
}

template <class T>
void clearInParallel(const std::string& label, const DeviceArray<T>& array) {
  expectZeros<T>(label);
  clearInParallel(label, array.data(), array.extent(0) * sizeof(T));
}

// The next thing that an instance does.
template <class T>
void clearOn(const Execution& instance, const DeviceArray<T>& array) {
  expectZeros<T>("clearing");
  fillOn(instance, array.data(), 0, array.extent(0) * sizeof(T));
}
// Of as many values.
template <class T>
void copyOn(const Execution& instance, const DeviceArray<T>& to, const DeviceArray<T>& from) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (to.extent(0) != from.extent(0)) throw std::logic_error("copyOn: another number of values");
  copyOn(instance, to.data(), from.data(), from.extent(0) * sizeof(T));
}

template <class T>
DeviceArray<T> zeroedArray(const std::string& label, std::size_t count) {
  DeviceArray<T> array(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count);
  clearInParallel(label, array);
  return array;
}

}  // namespace mesowarp
