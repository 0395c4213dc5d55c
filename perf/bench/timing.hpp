// Times work on the device: warm-up, repetitions, median and spread.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/types.hpp"

namespace mesowarp::backend {

struct Timing {
  double median = 0.0, fastest = 0.0, slowest = 0.0;  // seconds per call
  int repetitions = 0;
  int calls = 1;  // a repetition
};

inline double secondsOf(int calls, const auto& work) {
  Execution().fence();
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < calls; ++k) work();
  Execution().fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

// prepare() runs before each timed call and is not timed.
inline Timing timePrepared(int repetitions, const auto& prepare, const auto& work, int calls = 1) {
  prepare();
  secondsOf(calls, work);
  std::vector<double> seconds;
  for (int r = 0; r < repetitions; ++r) {
    prepare();
    seconds.push_back(secondsOf(calls, work));
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back(), repetitions, calls};
}

// Work that can be repeated as it is: so many calls a repetition that it lasts two milliseconds.
inline Timing timeRepeated(int repetitions, const auto& work) {
  secondsOf(1, work);
  const double once = secondsOf(1, work);
  const int calls = std::clamp(static_cast<int>(2e-3 / std::max(once, 1e-9)), 1, 1000);
  return timePrepared(
      repetitions, [] {}, work, calls);
}

}  // namespace mesowarp::backend
