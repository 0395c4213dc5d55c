#include "device/device_info.hpp"

#include <cstring>
#include <fstream>
#include <sys/resource.h>

#include "device/config.hpp"
#include "device/host_threads.hpp"

namespace mesowarp::backend {
namespace {

std::string cpuModel() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}

}  // namespace

DeviceInfo deviceInfo() {
  DeviceInfo info;
  info.backend = Execution::name();
  info.cpu = info.device = cpuModel();
  info.cores = countOf(ownCores());
  info.kokkosVersion = std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                       std::to_string(KOKKOS_VERSION % 100);
  info.threads = Kokkos::DefaultHostExecutionSpace().concurrency();
#ifdef KOKKOS_ENABLE_CUDA
  cudaDeviceProp properties;
  int device = 0;
  if (cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&properties, device) == cudaSuccess)
    info.device = properties.name;
#endif
  return info;
}

std::optional<DeviceMemory> freeDeviceMemory() {
#ifdef KOKKOS_ENABLE_CUDA
  std::size_t available = 0, total = 0;
  int devices = 0;
  if (cudaMemGetInfo(&available, &total) == cudaSuccess && cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0)
    return DeviceMemory{static_cast<double>(available), devices};
#endif
  return std::nullopt;
}

std::int64_t deviceNumber() {
  std::int64_t halves[2] = {};
#ifdef KOKKOS_ENABLE_CUDA
  cudaDeviceProp properties;
  int device = 0;
  if (cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&properties, device) == cudaSuccess) {
    static_assert(sizeof halves == sizeof properties.uuid);
    std::memcpy(halves, &properties.uuid, sizeof halves);
  }
#endif
  return halves[0] ^ halves[1];
}

std::size_t peakResidentBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace mesowarp::backend
