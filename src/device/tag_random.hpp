// Random numbers of initial states, made on the host.
#pragma once

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

// The first draws of each of so many tags in a row, side by side. uniform() and gaussian() are those of the tag's
// TagRandom behind `index` draws, of which a uniform number takes one and a gaussian two; tag: from 0 to tags - 1.
class TagDraws {
public:
  static constexpr int tags = 64, most = 9;
  TagDraws(StepKey key, u32 firstTag, int draws);
  double uniform(int tag, int index) const;
  double gaussian(int tag, int index) const;

private:
  Words words(int tag, int index) const { return {first_[index][tag], second_[index][tag]}; }
  u32 first_[most][tags], second_[most][tags];
};

}  // namespace mesowarp
