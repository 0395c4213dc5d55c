// Random numbers of initial states, made on the host.
#pragma once

#include <array>

#include "core/random.hpp"

namespace mesowarp {

// Host-side numbers for initial states: keyed by (seed, stream, tag), `index` counts the draws of a tag.
class TagRandom {
public:
  TagRandom(u64 seed, Stream stream, u32 tag) : TagRandom(stepKey(seed, stream, 0), tag) {}
  TagRandom(StepKey key, u32 tag) : key_(key), tag_(tag) {}  // of step 0
  double uniform();                                          // in [0, 1), 53 bits
  double gaussian();                                         // standard normal

private:
  Words next();
  StepKey key_;
  u32 tag_;
  i64 index_ = 0;
};

// The first three gaussian() of the TagRandom of each of so many tags in a row.
constexpr int gaussianBlock = 64;
void firstGaussians(StepKey key, u32 firstTag, std::array<std::array<double, 3>, gaussianBlock>& numbers);

}  // namespace mesowarp
