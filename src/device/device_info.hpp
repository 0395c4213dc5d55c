// What the program runs on, in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mesowarp::backend {

struct DeviceInfo {
  std::string backend;        // "CUDA", "OpenMP", "Serial"
  std::string device;         // GPU or CPU model
  std::string kokkosVersion;  // of the headers compiled against
  int threads = 1;            // host threads
  std::string cpu;            // model of the host's CPU
  int cores = 1;              // logical ones that this process may use
};

DeviceInfo deviceInfo();

struct DeviceMemory {
  double bytes = 0.0;  // free on this process's device
  int devices = 1;     // that it sees
};
// Nothing on a CPU.
std::optional<DeviceMemory> freeDeviceMemory();
// Made of the GPU's own identifier, so that two processes of one GPU have the same; 0 on a CPU.
std::int64_t deviceNumber();
// Largest resident set of this process so far, bytes.
std::size_t peakResidentBytes();

}  // namespace mesowarp::backend
