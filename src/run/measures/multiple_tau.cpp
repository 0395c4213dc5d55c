#include "run/measures/multiple_tau.hpp"

#include <algorithm>
#include <cmath>

namespace mesowarp {

MultipleTau::MultipleTau(std::size_t channels, int levels)
    : channels_(channels), levels_(static_cast<std::size_t>(levels), {0.0, 0.0, std::vector<double>(channels, 0.0),
                                                                      std::vector<double>(kept * channels, 0.0)}) {}

std::vector<double> MultipleTau::lags() const {
  std::vector<double> all;
  double spacing = 1.0;
  for (std::size_t l = 0; l < levels_.size(); ++l, spacing *= 2.0)
    for (std::size_t j = l == 0 ? 0 : skipped; j < kept; ++j) all.push_back(static_cast<double>(j) * spacing);
  return all;
}

void MultipleTau::addTo(std::size_t level, const std::vector<double>& values, double* sums) {
  if (level == levels_.size()) return;
  Level& l = levels_[level];
  const auto number = static_cast<std::size_t>(l.count);
  std::copy(values.begin(), values.end(), l.values.begin() + static_cast<std::ptrdiff_t>(number % kept * channels_));
  l.count += 1.0;
  const std::size_t first = level == 0 ? 0 : skipped, before = level == 0 ? 0 : kept + (kept - skipped) * (level - 1);
  for (std::size_t j = first; j < kept && j <= number; ++j) {
    double* of = sums + (before + j - first) * (1 + channels_);
    const double* then = l.values.data() + (number - j) % kept * channels_;
    of[0] += 1.0;
    for (std::size_t c = 0; c < channels_; ++c) of[1 + c] += then[c] * values[c];
  }
  for (std::size_t c = 0; c < channels_; ++c) l.sum[c] += values[c];
  if (l.waiting == 0.0) {
    l.waiting = 1.0;
    return;
  }
  std::vector<double> mean = l.sum;
  for (double& m : mean) m *= 0.5;
  l.waiting = 0.0;
  std::fill(l.sum.begin(), l.sum.end(), 0.0);
  addTo(level + 1, mean, sums);
}

std::vector<double> MultipleTau::state() const {
  std::vector<double> all;
  for (const Level& l : levels_) {
    all.insert(all.end(), {l.count, l.waiting});
    all.insert(all.end(), l.sum.begin(), l.sum.end());
    all.insert(all.end(), l.values.begin(), l.values.end());
  }
  return all;
}

void MultipleTau::forget() {
  for (Level& l : levels_) {
    l.count = l.waiting = 0.0;
    std::fill(l.sum.begin(), l.sum.end(), 0.0);
  }
}

bool MultipleTau::restore(const double* values, std::size_t count) {
  if (count != stateSize()) return false;
  for (std::size_t k = 0; k < count; ++k)
    if (!std::isfinite(values[k])) return false;
  for (Level& l : levels_) {
    l.count = *values++, l.waiting = *values++;
    if (!(l.count >= 0.0 && l.count < 1e15) || (l.waiting != 0.0 && l.waiting != 1.0)) return false;
    for (double& s : l.sum) s = *values++;
    for (double& v : l.values) v = *values++;
  }
  return true;
}

}  // namespace mesowarp
