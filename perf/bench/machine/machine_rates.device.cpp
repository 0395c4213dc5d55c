#include "perf/bench/machine/machine_rates.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include "device/config.hpp"
#include "perf/bench/timing.hpp"

namespace mesowarp::backend {
namespace {

struct alignas(16) Word {
  u32 part[4];
};

struct Copy {
  DeviceArray<Word> from, to;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { to(i) = from(i); }
};

// What a thread computes with at once: a vector of the CPU, a scalar on a GPU.
#ifdef KOKKOS_ENABLE_CUDA
#define MESOWARP_UNROLL  // nvcc does by itself
template <class T>
struct LaneOf {
  using type = T;
};
#else
#define MESOWARP_UNROLL _Pragma("GCC unroll 10")
#ifdef __AVX512F__
constexpr int laneBytes = 64;
#else
constexpr int laneBytes = 32;
#endif
template <class T>
struct LaneOf {
  typedef T type __attribute__((vector_size(laneBytes)));
};
#endif

// Two operations each: enough chains side by side to hide their latency.
template <class T>
struct Arithmetic {
  using Lane = typename LaneOf<T>::type;
  static constexpr int chains = 10, operations = 2, lanes = static_cast<int>(sizeof(Lane) / sizeof(T));
  DeviceArray<T> out;
  int rounds;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    Lane x[chains];
    // Values that no compiler can know; what becomes of them does not matter.
    const Lane factor = Lane{} + T(i | 1), term = Lane{} + T(3);
    for (int c = 0; c < chains; ++c) x[c] = Lane{} + T(i + c);
    for (int k = 0; k < rounds; ++k) {
      MESOWARP_UNROLL
      for (int c = 0; c < chains; ++c) {
        if constexpr (std::is_integral_v<T>) {
          x[c] = (x[c] + term) ^ factor;
        } else {
          x[c] = x[c] * factor + term;
        }
      }
    }
    for (int c = 1; c < chains; ++c) x[0] += x[c];
    store(i, x[0]);
  }
  KOKKOS_INLINE_FUNCTION void store(int i, const Lane& x) const { out(i) = reinterpret_cast<const T*>(&x)[lanes - 1]; }
};

template <class T>
double arithmeticRate() {
  const int threads = onGpu ? 1 << 20 : Execution().concurrency() * 8;
  const Arithmetic<T> kernel{DeviceArray<T>("arithmetic", threads), onGpu ? 512 : 20000};
  const Timing timing = timeRepeated(5, [&] { Kokkos::parallel_for("arithmetic", Range(0, threads), kernel); });
  return static_cast<double>(threads) * kernel.rounds * Arithmetic<T>::chains * Arithmetic<T>::operations *
         Arithmetic<T>::lanes / timing.fastest;
}

std::size_t numberIn(const std::string& path) {
  std::size_t value = 0;
  return std::ifstream(path) >> value ? value : 0;
}

}  // namespace

std::size_t availableHostMemory() {
  std::size_t free = ~std::size_t{0};
  std::ifstream info("/proc/meminfo");
  for (std::string key; info >> key; info.ignore(1000, '\n'))
    if (std::size_t kib = 0; key == "MemAvailable:" && info >> kib) free = kib * 1024;
  for (const std::string folder :
       {"/sys/fs/cgroup/memory.max /sys/fs/cgroup/memory.current",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory/memory.usage_in_bytes"}) {
    const std::size_t gap = folder.find(' '), limit = numberIn(folder.substr(0, gap)),
                      used = numberIn(folder.substr(gap + 1));
    if (limit > 0) free = std::min(free, limit > used ? limit - used : 0);
  }
  return free;
}

std::size_t availableDeviceMemory() {
#ifdef KOKKOS_ENABLE_CUDA
  std::size_t free = 0, all = 0;
  if (cudaMemGetInfo(&free, &all) == cudaSuccess) return free;
#endif
  return availableHostMemory();
}

MachineRates measureMachine() {
  MachineRates rates;
  const std::size_t wanted = onGpu ? std::size_t{1} << 30 : std::size_t{256} << 20;
  rates.copyBytes = std::min(wanted, availableDeviceMemory() / 8) / sizeof(Word) * sizeof(Word);
  const int words = static_cast<int>(rates.copyBytes / sizeof(Word));
  const Copy copy{DeviceArray<Word>("copy from", words), DeviceArray<Word>("copy to", words)};
  const Timing timing = timeRepeated(5, [&] { Kokkos::parallel_for("copy", Range(0, words), copy); });
  rates.copyBytesPerSecond = 2.0 * static_cast<double>(rates.copyBytes) / timing.fastest;
  rates.floatPerSecond = arithmeticRate<float>();
  rates.doublePerSecond = arithmeticRate<double>();
  rates.integerPerSecond = arithmeticRate<u32>();
  return rates;
}

}  // namespace mesowarp::backend
