// Rows of particles, which lie on the ranks as the particles do, in the order of their tags: rank r of R gets those of
// tags [total r / R, total (r + 1) / R), or as many whole units of tags. For files and hashes, which must not show
// where particles were.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"

namespace mesowarp::comm {

// The first tag of a rank's block; blocks of whole units. Tags have 32 bits and ranks fewer, so that products fit.
constexpr std::int64_t firstOfBlock(std::int64_t rank, std::int64_t ranks, std::int64_t total, std::int64_t unit = 1) {
  return std::min(total, (total + unit - 1) / unit * rank / ranks * unit);
}

// All functions but the accessors are collective.
class TagBlocks {
public:
  // count: particles on this rank, at most INT_MAX where there are several. Throws RunError, on every rank, unless the
  // tags of all ranks are 0, 1, …, total - 1, each once. unit: blocks begin at multiples of it.
  TagBlocks(const Communicator& ranks, std::int64_t total, const std::uint32_t* tags, std::int64_t count,
            std::int64_t unit = 1);

  // The tags of this rank's block.
  std::int64_t first() const { return first_; }
  std::int64_t count() const { return count_; }

  // rows: rowBytes for each particle, in the order of the constructor's tags; block: count() of them, in order of tags.
  // Needs twice their memory meanwhile.
  void gather(const void* rows, std::size_t rowBytes, void* block) const;

private:
  void exchange(const void* send, std::size_t rowBytes, void* receive) const;

  MPI_Comm ranks_;
  std::int64_t first_ = 0, count_ = 0;
  std::vector<std::int64_t> order_;                                       // own particles by the rank that gets them
  std::vector<std::uint32_t> arrived_;                                    // place in the block of each row that arrives
  std::vector<int> sendCount_, sendFirst_, receiveCount_, receiveFirst_;  // rows, of each rank
};

}  // namespace mesowarp::comm
