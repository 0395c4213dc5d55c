// Files that a deck names are read by each rank: all must have the same.
#pragma once

#include "comm/communicator.hpp"
#include "input/deck.hpp"

namespace mesowarp {

// Collective. Throws InputError, with the key's place, the rank and the file, if a rank's is not as the root's. A run
// that goes on does not read files that particles began from.
void requireSameFiles(const input::Deck& deck, bool resuming, const comm::Communicator& ranks);

}  // namespace mesowarp
