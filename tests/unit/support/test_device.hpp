// Copies between std::vector and device arrays.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace mesowarp::test {

template <class T>
DeviceArray<T> onDevice(const std::vector<T>& values) {
  DeviceArray<T> device("test data", values.size());
  const auto host = Kokkos::create_mirror_view(device);
  for (std::size_t k = 0; k < values.size(); ++k) host(k) = values[k];
  Kokkos::deep_copy(device, host);
  return device;
}

template <class View>
auto onHost(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

template <class T>
std::vector<T> toVector(const DeviceArray<T>& view) {
  const auto host = onHost(view);
  std::vector<T> values(host.extent(0));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = host(k);
  return values;
}

}  // namespace mesowarp::test
