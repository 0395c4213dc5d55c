// Sums over ranks of 64-bit integers that kernels leave in the device's memory. Through NCCL, on a stream beside the
// main one, where the build has it and each rank has a GPU of its own: the host waits for nothing. Else through MPI and
// the host's memory.
#pragma once

#include <memory>

#include "comm/communicator.hpp"
#include "core/types.hpp"
#include "device/config.hpp"

namespace mesowarp::comm {

class DeviceSums {
public:
  virtual ~DeviceSums() = default;
  virtual const char* name() const = 0;
  // Collective, as all here. What kernels of the main stream have left so far; it may be under way until finish().
  virtual void start() = 0;
  // The array has the sums over all ranks for kernels launched from now on.
  virtual void finish() = 0;
};

// values: the same number on each rank; the memory stays where it is. overHost: never by NCCL. Throws RunError.
std::unique_ptr<DeviceSums> makeDeviceSums(const Communicator& ranks, const DeviceArray<i64>& values, bool overHost);

}  // namespace mesowarp::comm
