// The state hash: one number for the bits of a state, whatever the number of ranks and threads that compute it.
//
// Particles in the order of their tags are cut into blocks of 65,536. A block's hash is the XXH3 (128 bits) of its
// rows, seeded with the block's number from 0; the hash of the state is the sum of those of its blocks, each half
// modulo 2^64.
#pragma once

#include <cstddef>
#include <string>

#include "comm/communicator.hpp"
#include "core/types.hpp"

namespace mesowarp {

// What is hashed of a particle; fields of methods' own follow.
struct HashedState {
  u64 position[3];
  double velocity[3];
};

class StateHash {
public:
  static constexpr i64 block = 1 << 16;

  // Rows, of so many bytes, of the particles firstTag, firstTag + 1, …: whole blocks, but for the last one of all. The
  // host's threads share them.
  void add(const std::byte* rows, std::size_t rowBytes, i64 count, i64 firstTag);
  // Collective: those that the other ranks have added.
  void addOthers(const comm::Communicator& ranks);
  std::string text() const;  // 32 hex digits

private:
  u64 high_ = 0, low_ = 0;
};

}  // namespace mesowarp
