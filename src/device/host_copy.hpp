// Arrays between the host and the device.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "device/memory/bytes.hpp"

namespace mesowarp {

// The view itself, if the host can read it.
template <class View>
auto hostCopy(const View& view) {
  static_assert(static_cast<int>(View::rank) == 1 && std::is_trivially_copyable_v<typename View::non_const_value_type>);
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible) {
    return view;
  } else {
    HostArray<typename View::non_const_value_type> host(Kokkos::view_alloc(view.label(), Kokkos::WithoutInitializing),
                                                        view.extent(0));
    copyToHost(host.data(), view.data(), host.extent(0) * sizeof(typename View::non_const_value_type));
    return host;
  }
}

// As many values as the array has.
template <class T>
void refill(const DeviceArray<T>& device, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (values.size() != device.extent(0)) throw std::logic_error("refill: another number of values");
  copyToDevice(device.data(), values.data(), values.size() * sizeof(T));
}

// A new array of these values, each converted.
template <class T, class V>
DeviceArray<T> toDevice(const char* label, const std::vector<V>& values) {
  DeviceArray<T> device(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), values.size());
  if constexpr (std::is_same_v<T, V>) {
    refill(device, values);
  } else {
    std::vector<T> converted;
    converted.reserve(values.size());
    for (const V& value : values) converted.push_back(static_cast<T>(value));
    refill(device, converted);
  }
  return device;
}

}  // namespace mesowarp
