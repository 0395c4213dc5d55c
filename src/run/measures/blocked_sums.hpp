// Sums of samples, kept in sub-blocks, and errors that follow from these.
#pragma once

#include <functional>
#include <vector>

#include "core/types.hpp"

namespace mesowarp {

// Consecutive samples summed together.
struct SampleBlock {
  double samples = 0.0;
  std::vector<double> sums;
};

// Sub-blocks have one sample each at first. When there are 16 and another sample comes, neighbours are joined and the
// length doubles; so 16 samples or more are in 9 to 16 sub-blocks, and nothing depends on where a block ends.
class BlockedSums {
public:
  static constexpr std::size_t most = 16;
  explicit BlockedSums(std::size_t width) : width_(width) {}

  // The sums to add one more sample to.
  std::vector<double>& nextSample();
  void clear();
  bool empty() const { return blocks_.empty(); }
  i64 samples() const;
  const std::vector<SampleBlock>& blocks() const { return blocks_; }
  SampleBlock total() const;

  // As numbers, for a checkpoint; restore: false: they are of another width.
  std::vector<double> numbers() const;
  bool restore(const double* values, std::size_t count);

private:
  std::size_t width_;
  double length_ = 1.0;  // samples of a whole sub-block
  std::vector<SampleBlock> blocks_;
};

// Numbers that follow from sums over some samples, in whatever way.
using OfSums = std::function<std::vector<double>(const SampleBlock&)>;

// Fewer samples have no errors.
constexpr i64 fewestForErrors = 4;

// Standard errors of such numbers by leaving out one sub-block after the other (the jackknife for blocks of unequal
// size; Busing, Meijer & van der Leeden, Statistics and Computing 9, 3 (1999)). NaN: not known.
std::vector<double> jackknifeErrors(const BlockedSums& sums, const OfSums& numbers);

}  // namespace mesowarp
