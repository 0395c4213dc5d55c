#include "state/bins/bin_totals.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"

namespace mesowarp {
namespace {
constexpr double carry = 4294967296.0;  // 2^32

struct AddFurther {
  DeviceArray<i64> sums;
  DeviceArray<double> further;
  int count, all, first;  // numbers of a bin: of these, of all, before these
  double scale;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto at = static_cast<std::size_t>(i / count) * static_cast<std::size_t>(all);
    further(at + static_cast<std::size_t>(first + i % count)) += static_cast<double>(sums(i)) / scale;
  }
};

}  // namespace

BinTotals::BinTotals(std::size_t bins, std::size_t width)
    : bins_(bins), width_(width), high_(motions(), 0.0), low_(motions(), 0.0), further_(furthers(), 0.0) {}

DeviceArray<i64>& BinTotals::onDevice() {
  if (onDevice_.extent(0) != motions()) onDevice_ = DeviceArray<i64>("totals of bins", motions());
  return onDevice_;
}

void BinTotals::added(const comm::Communicator* ranks) {
  if (++samples_ >= most_) fetchMotion(ranks);
}

DeviceArray<i64> BinTotals::furtherSums(int count) {
  const std::size_t numbers = bins_ * static_cast<std::size_t>(count);
  if (numbers > furthers()) throw std::logic_error("furtherSums: more numbers than there are");
  if (furtherSums_.extent(0) != furthers()) furtherSums_ = DeviceArray<i64>("sums of a sample", furthers());
  const DeviceArray<i64> sums = Kokkos::subview(furtherSums_, std::make_pair(std::size_t{0}, numbers));
  clearOn(Execution(), sums);
  return sums;
}

void BinTotals::addFurther(const DeviceArray<i64>& sums, int first, double scale, const comm::Communicator* ranks) {
  const int numbers = static_cast<int>(sums.extent(0)), count = numbers / static_cast<int>(bins_),
            all = static_cast<int>(width_) - binChannels;
  if (first + count > all) throw std::logic_error("addFurther: more numbers than there are");
  if (ranks) {
    const auto host = hostCopy(sums);
    ranks->sum(host.data(), numbers);
    if (host.data() != sums.data()) copyToDevice(sums.data(), host.data(), sums.extent(0) * sizeof(i64));
  }
  if (furtherOnDevice_.extent(0) != furthers()) furtherOnDevice_ = toDevice<double>("totals beyond motion", further_);
  Kokkos::parallel_for("totals beyond motion", Range(0, numbers),
                       AddFurther{sums, furtherOnDevice_, count, all, first, scale});
  furtherIsOld_ = true;
}

void BinTotals::fetch(const comm::Communicator* ranks) const {
  if (samples_ > 0) fetchMotion(ranks);
  if (!furtherIsOld_) return;
  copyToHost(further_.data(), furtherOnDevice_.data(), furthers() * sizeof(double));
  furtherIsOld_ = false;
}

void BinTotals::fetchMotion(const comm::Communicator* ranks) const {
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
  if (samples_ > 0 || furtherIsOld_) throw std::logic_error("sums that were not fetched");
  furtherOnDevice_ = {};
  for (auto* sums : {&high_, &low_, &further_}) std::fill(sums->begin(), sums->end(), 0.0);
}

std::vector<double> BinTotals::numbers() const {
  std::vector<double> all(high_);
  all.insert(all.end(), low_.begin(), low_.end());
  all.insert(all.end(), further_.begin(), further_.end());
  return all;
}

bool BinTotals::restore(const double* numbers, std::size_t count) {
  furtherOnDevice_ = {};
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
