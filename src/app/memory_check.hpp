// Whether a run fits into the memory that there is.
#pragma once

#include "comm/communicator.hpp"
#include "input/deck.hpp"

namespace mesowarp {

// Bytes that a deck's run takes at least: in the host's memory on a node, and in a device's.
struct MemoryNeed {
  double host = 0.0, device = 0.0;
};

// ranks, ranksOnNode: among which it is shared. onGpu: fields and lists lie in the device's memory.
MemoryNeed memoryNeed(const input::Deck& deck, int ranks, int ranksOnNode, bool onGpu);

// Throws InputError, with the deck's line of what is large, where a node (a device) has less than the run needs at
// least. ranks: collective, and the root's deck counts; null: one rank, and of a GPU, which need not be here, only the
// host.
void requireMemory(const input::Deck& deck, const comm::Communicator* ranks);

}  // namespace mesowarp
