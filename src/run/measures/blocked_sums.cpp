#include "run/measures/blocked_sums.hpp"

#include <cmath>
#include <limits>

namespace mesowarp {
namespace {

void add(SampleBlock& to, const SampleBlock& more) {
  to.samples += more.samples;
  for (std::size_t k = 0; k < to.sums.size(); ++k) to.sums[k] += more.sums[k];
}

}  // namespace

std::vector<double>& BlockedSums::nextSample() {
  const bool full = blocks_.empty() || blocks_.back().samples >= length_;
  if (full && blocks_.size() == most) {
    for (std::size_t k = 0; k < most / 2; ++k) {
      if (k > 0) blocks_[k] = std::move(blocks_[2 * k]);
      add(blocks_[k], blocks_[2 * k + 1]);
    }
    blocks_.resize(most / 2);
    length_ *= 2.0;
  }
  if (full) blocks_.push_back({0.0, std::vector<double>(width_, 0.0)});
  blocks_.back().samples += 1.0;
  return blocks_.back().sums;
}

void BlockedSums::clear() {
  blocks_.clear();
  length_ = 1.0;
}

i64 BlockedSums::samples() const { return static_cast<i64>(total().samples); }

SampleBlock BlockedSums::total() const {
  SampleBlock all{0.0, std::vector<double>(width_, 0.0)};
  for (const auto& block : blocks_) add(all, block);
  return all;
}

std::vector<double> BlockedSums::numbers() const {
  std::vector<double> values{length_};
  for (const auto& block : blocks_) {
    values.push_back(block.samples);
    values.insert(values.end(), block.sums.begin(), block.sums.end());
  }
  return values;
}

bool BlockedSums::restore(const double* values, std::size_t count) {
  clear();
  const std::size_t row = width_ + 1;
  if (count == 0 || (count - 1) % row != 0 || (count - 1) / row > most || !(values[0] >= 1.0)) return false;
  length_ = values[0];
  for (std::size_t at = 1; at < count; at += row) {
    if (!(values[at] >= 1.0 && values[at] <= length_)) return false;
    blocks_.push_back({values[at], {values + at + 1, values + at + row}});
  }
  return true;
}

// With g sub-blocks of m_j of N samples, h_j = N / m_j, t of all and t_j without the j-th:
//   t_J = g t - sum (1 - 1 / h_j) t_j,   error^2 = 1 / g sum (h_j t - (h_j - 1) t_j - t_J)^2 / (h_j - 1)
std::vector<double> jackknifeErrors(const BlockedSums& sums, const OfSums& numbers) {
  const SampleBlock all = sums.total();
  const std::vector<double> whole = numbers(all);
  std::vector<double> errors(whole.size(), std::numeric_limits<double>::quiet_NaN());
  const double g = static_cast<double>(sums.blocks().size());
  if (g < 2.0 || sums.samples() < fewestForErrors) return errors;
  std::vector<std::vector<double>> without;
  for (const auto& block : sums.blocks()) {
    SampleBlock rest = all;
    rest.samples -= block.samples;
    for (std::size_t k = 0; k < rest.sums.size(); ++k) rest.sums[k] -= block.sums[k];
    without.push_back(numbers(rest));
  }
  for (std::size_t k = 0; k < whole.size(); ++k) {
    double centre = g * whole[k], squares = 0.0;
    for (std::size_t j = 0; j < without.size(); ++j)
      centre -= (1.0 - sums.blocks()[j].samples / all.samples) * without[j][k];
    for (std::size_t j = 0; j < without.size(); ++j) {
      const double h = all.samples / sums.blocks()[j].samples;
      const double away = h * whole[k] - (h - 1.0) * without[j][k] - centre;
      squares += away * away / (h - 1.0);
    }
    errors[k] = std::sqrt(squares / g);
  }
  return errors;
}

}  // namespace mesowarp
