#include "state/bins/bin_totals.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"

namespace mesowarp {
namespace {
constexpr double carry = 4294967296.0;  // 2^32
}  // namespace

BinTotals::BinTotals(std::size_t bins, std::size_t width)
    : bins_(bins), width_(width), high_(motions(), 0.0), low_(motions(), 0.0), further_(furthers(), 0.0) {}

DeviceArray<i64>& BinTotals::onDevice() {
  if (onDevice_.extent(0) != motions()) onDevice_ = DeviceArray<i64>("totals of bins", motions());
  return onDevice_;
}

void BinTotals::added(const comm::Communicator* ranks) {
  if (++samples_ >= most_) fetch(ranks);
}

void BinTotals::addFurther(std::size_t first, std::size_t count, const std::vector<double>& further) {
  const std::size_t all = width_ - binChannels;
  if (first + count > all || further.size() != bins_ * count) throw std::logic_error("addFurther: other numbers");
  for (std::size_t b = 0; b < bins_; ++b)
    for (std::size_t k = 0; k < count; ++k) further_[b * all + first + k] += further[b * count + k];
}

void BinTotals::fetch(const comm::Communicator* ranks) const {
  if (samples_ == 0) return;
  const auto host = hostCopy(onDevice_);
  if (ranks) ranks->sum(host.data(), static_cast<int>(motions()));
  double largest = 1.0;
  for (std::size_t k = 0; k < motions(); ++k) {
    const i64 units = host(k);
    largest = std::max(largest, std::abs(static_cast<double>(units)));
    high_[k] += static_cast<double>(units >> 32);
    low_[k] += static_cast<double>(units & 0xFFFFFFFF);
    if (low_[k] >= carry) low_[k] -= carry, high_[k] += 1.0;
  }
  // Sums may grow by so many times until then.
  constexpr double margin = 256.0;
  most_ = static_cast<int>(std::clamp(0x1p62 * samples_ / (margin * largest), 1.0, double{mostSamples}));
  samples_ = 0;
  clearOn(Execution(), onDevice_);
}

std::vector<double> BinTotals::values() const {
  std::vector<double> values;
  values.reserve(bins_ * width_);
  const auto all = static_cast<std::ptrdiff_t>(width_ - binChannels);
  for (std::size_t b = 0; b < bins_; ++b) {
    for (std::size_t k = b * binChannels; k < (b + 1) * binChannels; ++k) {
      const double unit = k % binChannels == 0 ? 1.0 : 1.0 / binScale;  // of numbers of particles
      values.push_back(high_[k] * (carry * unit) + low_[k] * unit);
    }
    const auto further = further_.begin() + static_cast<std::ptrdiff_t>(b) * all;
    values.insert(values.end(), further, further + all);
  }
  return values;
}

void BinTotals::clear() {
  if (samples_ > 0) throw std::logic_error("sums that were not fetched");
  for (auto* sums : {&high_, &low_, &further_}) std::fill(sums->begin(), sums->end(), 0.0);
}

std::vector<double> BinTotals::numbers() const {
  std::vector<double> all(high_);
  all.insert(all.end(), low_.begin(), low_.end());
  all.insert(all.end(), further_.begin(), further_.end());
  return all;
}

bool BinTotals::restore(const double* numbers, std::size_t count) {
  if (count == 2 * motions() + furthers()) {
    high_.assign(numbers, numbers + motions()), low_.assign(numbers + motions(), numbers + 2 * motions());
    further_.assign(numbers + 2 * motions(), numbers + count);
    return true;
  }
  if (count != bins_ * width_) return false;
  further_.clear();
  for (std::size_t b = 0; b < bins_; ++b) {
    const double* const of = numbers + b * width_;
    for (std::size_t k = 0; k < binChannels; ++k) {
      const double units = std::round(of[k] * (k == 0 ? 1.0 : binScale)), high = std::floor(units / carry);
      high_[b * binChannels + k] = high, low_[b * binChannels + k] = units - high * carry;
    }
    further_.insert(further_.end(), of + binChannels, of + width_);
  }
  return true;
}

}  // namespace mesowarp
