// Exclusive prefix sums.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

// Keeps what a scan needs; a call of the same size as the one before allocates nothing.
class Scanner {
public:
  // out[i] = in[0] + ... + in[i - 1]; two different arrays.
  void operator()(const char* label, const DeviceArray<int>& in, const DeviceArray<int>& out);
  std::size_t bytes() const { return temporary_.extent(0); }

private:
  DeviceArray<char> temporary_;
};

}  // namespace mesowarp::backend
