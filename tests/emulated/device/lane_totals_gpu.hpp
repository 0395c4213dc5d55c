// Stands in for src/device/lane_totals_gpu.hpp: see launch_gpu.hpp here.
#pragma once

#include <cstring>

#include "device/launch_gpu.hpp"

namespace mesowarp::backend {

// Of kernels over a range, which are not emulated: a warp is one thread.
constexpr int warpThreads = 1;
inline std::uint32_t votes(bool mine) { return mine ? 1u : 0u; }

template <class T>
T ofLane(const T& mine, int from) {
  std::uint32_t words[sizeof(T) / sizeof(std::uint32_t)];
  std::memcpy(words, &mine, sizeof(T));
  for (auto& word : words) word = __shfl_sync(0xFFFFFFFFu, word, from);
  T other;
  std::memcpy(&other, words, sizeof(T));
  return other;
}
template <class Total>
void mergeLane(Total& total, int bits) {
  total.merge(ofLane(total, (threadIdx.x % 32) ^ bits));
}

}  // namespace mesowarp::backend
