// The sum of many numbers over a range. On a GPU not by Kokkos' reduction, which is 100 KB of machine code in each
// kernel that has the 22 numbers of an observed step, where such a kernel itself has 20: three fifths of what
// was compiled for pair forces (perf/log/builds.md).
#pragma once

#include <type_traits>

#include "device/config.hpp"
#include "device/kokkos_compatibility.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include <algorithm>

#include "device/launch/sum_blocks_gpu.hpp"
#endif

namespace mesowarp::backend {

#ifdef KOKKOS_ENABLE_CUDA
// Where blocks leave their sums, and the host finds the whole. One for the process, given back as Kokkos ends.
class SumRoom {
public:
  static SumRoom& atLeast(std::size_t parts, std::size_t whole) {
    static SumRoom room;
    if (room.parts_.extent(0) < parts)
      room.parts_ = DeviceArray<char>(Kokkos::view_alloc("sums of blocks", Kokkos::WithoutInitializing), parts);
    if (room.whole_.extent(0) < whole)
      room.whole_ = decltype(whole_)(Kokkos::view_alloc("sum of blocks", Kokkos::WithoutInitializing), whole);
    return room;
  }
  char* parts() const { return parts_.data(); }
  char* whole() const { return whole_.data(); }

private:
  SumRoom() {
    Kokkos::push_finalize_hook([this] { parts_ = {}, whole_ = {}; });
  }
  DeviceArray<char> parts_;
  Kokkos::View<char*, SharedSpace> whole_;
};

template <class Sum, class Functor>
void launchSum(const char* label, int count, int blocks, const Functor& functor, Sum* ofBlocks) {
  using Blocks = SumBlocks<Sum, Functor>;
  launchBlocks<sumThreads, 1>(label, blocks, sumThreads, Blocks::sharedBytes, Blocks{functor, count, blocks, ofBlocks});
}
#endif

// What functor(i, sum) adds to `sum` for all i in [0, count), begun with Sum{}; Sum: a struct with +=. On a GPU threads
// are as many as are at work at once, so count and device alone decide the order of the sum; on a CPU Kokkos does. The
// host waits for it.
template <class Sum, class Functor>
Sum sumOver(const char* label, int count, const Functor& functor) {
  static_assert(std::is_trivially_copyable_v<Sum>);
  Sum sum{};
#ifdef KOKKOS_ENABLE_CUDA
  if (count <= 0) return sum;
  using Blocks = SumBlocks<Sum, Functor>;
  static const int most = std::max(1, blocksAtOnce<sumThreads, 1, Blocks>(sumThreads, Blocks::sharedBytes));
  const int blocks = std::min((count - 1) / sumThreads + 1, most);
  const SumRoom& room = SumRoom::atLeast(static_cast<std::size_t>(blocks) * sizeof(Sum), sizeof(Sum));
  auto* const parts = reinterpret_cast<Sum*>(room.parts());
  auto* const whole = reinterpret_cast<Sum*>(room.whole());
  launchSum(label, count, blocks, functor, parts);
  launchSum("sum of blocks", blocks, 1, SumOfBlock<Sum>{parts}, whole);
  Execution().fence();
  sum = *whole;
#else
  Kokkos::parallel_reduce(label, Range(0, count), functor, SumReducer<Sum>(sum));
#endif
  return sum;
}

}  // namespace mesowarp::backend
