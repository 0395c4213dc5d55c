// Arrays between the host and the device.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace mesowarp {

// The view itself, if the host can read it.
template <class View>
auto hostCopy(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

// A new array of these values, each converted.
template <class T, class V>
DeviceArray<T> toDevice(const char* label, const std::vector<V>& values) {
  DeviceArray<T> device(std::string(label), values.size());
  auto host = Kokkos::create_mirror_view(device);
  for (std::size_t k = 0; k < values.size(); ++k) host(k) = static_cast<T>(values[k]);
  Kokkos::deep_copy(device, host);
  return device;
}

}  // namespace mesowarp
