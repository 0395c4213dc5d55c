// Lags of what has an origin for each level: level l has lags of 1 to 16 times 4^l samples (from the second on those
// above the first's longest, 5 to 16), and a new origin every 16 * 4^l. So a few origins reach lags of thousands of
// samples, and each lag has many of them in the course of a run.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace mesowarp {

class LagLevels {
public:
  static constexpr i64 each = 16, factor = 4, skipped = 4;

  explicit LagLevels(int levels) : originAt_(static_cast<std::size_t>(levels), -1) {}
  int levels() const { return static_cast<int>(originAt_.size()); }
  std::size_t count() const { return static_cast<std::size_t>(each + (each - skipped) * (levels() - 1)) + 1; }
  // Samples; the first is 0, by which nothing has moved.
  std::vector<double> lags() const {
    std::vector<double> all{0.0};
    i64 spacing = 1;
    for (int l = 0; l < levels(); ++l, spacing *= factor)
      for (i64 j = l == 0 ? 1 : skipped + 1; j <= each; ++j) all.push_back(static_cast<double>(j * spacing));
    return all;
  }

  // What is to be done in a sample, level by level: compare with its origin (lag < 0: no), then perhaps store anew.
  struct Due {
    int level;
    std::ptrdiff_t lag;  // its number in lags()
    bool store;
  };
  std::vector<Due> due(i64 sample) const {
    std::vector<Due> all;
    i64 spacing = 1;
    for (int l = 0; l < levels() && sample % spacing == 0; ++l, spacing *= factor) {
      const i64 place = sample / spacing % each, j = place == 0 ? each : place;
      const bool has = originAt_[static_cast<std::size_t>(l)] == sample - j * spacing && sample >= j * spacing;
      const i64 number = l == 0 ? j : each + (each - skipped) * (l - 1) + j - skipped;
      all.push_back({l, has && (l == 0 || j > skipped) ? number : -1, place == 0});
    }
    return all;
  }
  void stored(int level, i64 sample) { originAt_[static_cast<std::size_t>(level)] = sample; }

  std::vector<double> state() const { return {originAt_.begin(), originAt_.end()}; }
  bool restore(const double* values, std::size_t count) {
    if (count != originAt_.size()) return false;
    for (std::size_t l = 0; l < count; ++l) {
      if (!(values[l] >= -1.0 && values[l] < 1e15)) return false;
      originAt_[l] = static_cast<i64>(values[l]);
    }
    return true;
  }

private:
  std::vector<i64> originAt_;  // samples; -1: there is none yet
};

}  // namespace mesowarp
