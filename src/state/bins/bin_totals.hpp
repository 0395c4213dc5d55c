// Sums of a profile's samples: BinWish::width() numbers of each bin, of all ranks.
//
// Those of motion (binChannels) are integers in units of 1 / binScale. They stay on the device for up to 64 samples:
// 32^3 cells' numbers took 0.7 ms of each sample on an H200 to come to the host and be added there, an eighth of ten
// steps of 2 million particles. Here they have 85 bits, so nothing is rounded, and no number depends on when it came.
// What particles carry beside are integers of each sample in units of its own, which all ranks add up before they are
// added to double-precision sums, on the device too: stress in 32^3 cells took 3.5 ms of a sample where these came
// over.
#pragma once

#include <cstddef>
#include <vector>

#include "comm/communicator.hpp"
#include "core/types.hpp"
#include "device/config.hpp"
#include "state/bins/bin_sums.hpp"

namespace mesowarp {

constexpr double binScale = 268435456.0;  // 2^28: a sample's sum holds up to 3e10

class BinTotals {
public:
  // width: BinWish::width().
  BinTotals(std::size_t bins, std::size_t width);

  // For a population: the sums on the device, binChannels of each bin, to which it adds those of a sample of its own
  // rank; then added(), collective, which may wait for the device.
  DeviceArray<i64>& onDevice();
  void added(const comm::Communicator* ranks);
  // So for numbers beyond motion, `count` of each bin: zeros, to which it adds those of a sample in units of 1 / scale;
  // then addFurther() of them, collective, which puts them behind `first` other ones.
  DeviceArray<i64> furtherSums(int count);
  void addFurther(const DeviceArray<i64>& sums, int first, double scale, const comm::Communicator* ranks);

  // Brings over what is on the device; waits for it. Collective. values() and numbers() are of what has been brought.
  void fetch(const comm::Communicator* ranks) const;
  // width numbers of each bin, one bin after the other.
  std::vector<double> values() const;
  void clear();

  // For a checkpoint, exact. restore() also takes the values() of a version that had no others; false: it is neither.
  std::vector<double> numbers() const;
  bool restore(const double* numbers, std::size_t count);

private:
  static constexpr int mostSamples = 64;
  std::size_t motions() const { return bins_ * binChannels; }
  std::size_t furthers() const { return bins_ * (width_ - binChannels); }
  void fetchMotion(const comm::Communicator* ranks) const;

  std::size_t bins_, width_;
  mutable DeviceArray<i64> onDevice_;
  mutable int samples_ = 0, most_ = 1;      // on the device; before they are fetched, so that no sum is too large
  mutable std::vector<double> high_, low_;  // of each sum of motion: of 2^32 units, and the units below that
  DeviceArray<i64> furtherSums_;            // of a sample
  DeviceArray<double> furtherOnDevice_;
  mutable std::vector<double> further_;
  mutable bool furtherIsOld_ = false;  // the device has later sums
};

}  // namespace mesowarp
