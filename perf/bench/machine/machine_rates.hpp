// What the machine can do at most, measured: the floors under a step's time are made of these.
#pragma once

#include <cstddef>

namespace mesowarp::backend {

struct MachineRates {
  double copyBytesPerSecond = 0.0;  // read and written, both counted, of arrays that no cache holds
  std::size_t copyBytes = 0;        // of those arrays, each
  // Independent additions, multiplications, exclusive-ors, on all cores.
  double floatPerSecond = 0.0, doublePerSecond = 0.0, integerPerSecond = 0.0;
};

MachineRates measureMachine();

// Memory that is free: of the device, and of the host (of its control group where that has a limit), bytes.
std::size_t availableDeviceMemory();
std::size_t availableHostMemory();

}  // namespace mesowarp::backend
