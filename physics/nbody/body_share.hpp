// Which bodies are a rank's: a block of the tags, as comm/tag_blocks.hpp cuts them.
#pragma once

#include <vector>

#include "comm/tag_blocks.hpp"
#include "kernels/all_pairs/all_pairs.hpp"

namespace mesowarp::nbody {

class BodyShare {
public:
  // All bodies on one rank.
  explicit BodyShare(int total) : total_(total) {}
  // ranks: null, or more than one of them, at most as many as there are bodies; must outlive this.
  BodyShare(int total, const comm::Communicator* ranks) : ranks_(ranks), total_(total) {}

  const comm::Communicator* ranks() const { return ranks_; }  // null: one rank
  int total() const { return total_; }
  int pieces() const { return ranks_ ? ranks_->size() : 1; }
  int own() const { return ranks_ ? ranks_->rank() : 0; }
  int firstOf(int piece) const { return static_cast<int>(comm::firstOfBlock(piece, pieces(), total_)); }
  int first() const { return firstOf(own()); }
  int count() const { return firstOf(own() + 1) - first(); }  // of this rank
  std::vector<backend::BodyRange> ranges() const {
    std::vector<backend::BodyRange> all;
    for (int piece = 0; piece < pieces(); ++piece) all.push_back({firstOf(piece), firstOf(piece + 1)});
    return all;
  }

private:
  const comm::Communicator* ranks_ = nullptr;
  int total_;
};

}  // namespace mesowarp::nbody
