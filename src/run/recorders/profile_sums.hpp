// Sums of one block of a profile, kept in sub-blocks of its samples, and the averages and errors that follow from them.
#pragma once

#include <vector>

#include "core/types.hpp"
#include "input/deck.hpp"
#include "io/text/profile_writer.hpp"
#include "state/bins/bin_sums.hpp"

namespace mesowarp {

// Consecutive samples summed together, per bin.
struct ProfileSubBlock {
  double samples = 0.0;
  double volume = 0.0;  // sum of the samples' binSize(), if their boxes change
  std::vector<BinSums> bins;
};

// Sub-blocks have one sample each at first. When there are 16 and another sample comes, neighbours are joined and the
// length doubles; so a block of 16 samples or more has 9 to 16 of them, however long it gets, and nothing depends on
// where it ends.
class ProfileSums {
public:
  static constexpr std::size_t most = 16;

  // further: numbers of a particle that are summed beside the usual ones. ofChangingBox: volumes are summed, too.
  explicit ProfileSums(std::size_t bins, std::size_t further = 0, bool ofChangingBox = false)
      : bins_(bins), further_(further), ofChangingBox_(ofChangingBox) {}

  // The sums to add one more sample to.
  std::vector<BinSums>& nextSample();
  // Adds one: binChannels and further numbers of each bin, one bin after the other. volume: binSize() of its box.
  void add(const std::vector<double>& sample, double volume = 0.0);
  void clear();
  bool empty() const { return blocks_.empty(); }
  i64 samples() const;
  bool ofChangingBox() const { return ofChangingBox_; }
  const std::vector<ProfileSubBlock>& subBlocks() const { return blocks_; }

  // As numbers, for a checkpoint. restore() also takes the 6 x bins numbers of a version that had no sub-blocks, which
  // become one sub-block of `samples`; false: the numbers are neither, or of other bins.
  std::vector<double> numbers() const;
  bool restore(const double* values, std::size_t count, i64 samples);

private:
  std::vector<BinSums> emptyBins() const;

  std::size_t bins_, further_;
  bool ofChangingBox_;
  double length_ = 1.0;  // samples of a whole sub-block
  std::vector<ProfileSubBlock> blocks_;
};

// Fewer samples have no errors.
constexpr i64 fewestSamplesForErrors = 4;

// Where a measure's bins are.
BinShape shapeOf(const input::Measure& measure);
// What bins' volumes are proportional to in a box of these edges: of slabs its volume; of a cylinder's shells its
// length; 1 of a sphere's, which are the same in every box.
double binSize(const input::Measure& measure, const std::array<double, 3>& edges);
// Whose particles are in them: of species, and of groups.
void choose(const input::Deck& deck, const input::Measure& measure, BinWish& wish);

// Averages over all samples, and from fewestSamplesForErrors on their standard errors. Temperature is that of the
// motion relative to the bin's mean velocity. In a box that changes slabs are parts of it, and shells keep their radii:
// densities are those by mean volumes, coordinates those of the deck's box. NaN: a mean of no particles; an error where
// all particles were seen in one sub-block.
io::ProfileBlock averaged(const ProfileSums& sums, const input::Measure& measure, const input::BoxBlock& box, i64 first,
                          i64 last);

}  // namespace mesowarp
