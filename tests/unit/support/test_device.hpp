// Device arrays as vectors.
#pragma once

#include <vector>

#include "device/host_copy.hpp"

namespace mesowarp::test {

template <class T>
DeviceArray<T> onDevice(const std::vector<T>& values) {
  return toDevice<T>("test data", values);
}

template <class T>
std::vector<T> toVector(const DeviceArray<T>& view) {
  const auto host = hostCopy(view);
  std::vector<T> values(host.extent(0));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = host(k);
  return values;
}

}  // namespace mesowarp::test
