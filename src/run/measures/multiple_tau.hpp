// Autocorrelation of a few numbers by a multiple-tau correlator (Ramirez, Sukumaran, Vorselaars & Likhtman, J. Chem.
// Phys. 133, 154103 (2010)) with p = 16 and m = 2: level 0 keeps the last 16 samples and has lags 0 to 15; each further
// level keeps the last 16 means of two values of the one below, and has lags 8 to 15 of its own spacing.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace mesowarp {

class MultipleTau {
public:
  static constexpr std::size_t kept = 16, skipped = 8;
  MultipleTau(std::size_t channels, int levels);

  std::vector<double> lags() const;  // samples
  std::size_t count() const { return kept + (kept - skipped) * (levels_.size() - 1); }
  // Of sums: for each lag the number of products, then a product of each channel.
  std::size_t width() const { return count() * (1 + channels_); }
  void add(const std::vector<double>& values, double* sums) { addTo(0, values, sums); }

  // What is added from now on is correlated with itself alone.
  void forget();

  std::size_t stateSize() const { return levels_.size() * (2 + (1 + kept) * channels_); }
  std::vector<double> state() const;
  bool restore(const double* values, std::size_t count);

private:
  struct Level {
    double count = 0.0;          // values so far
    double waiting = 0.0;        // in `sum`: 0 or 1
    std::vector<double> sum;     // channels
    std::vector<double> values;  // the last ones: kept x channels, round and round
  };
  void addTo(std::size_t level, const std::vector<double>& values, double* sums);

  std::size_t channels_;
  std::vector<Level> levels_;
};

}  // namespace mesowarp
