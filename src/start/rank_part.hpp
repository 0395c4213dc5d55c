// How a deck's box is cut, and which part is this rank's.
#pragma once

#include "comm/rank_part.hpp"
#include "input/deck.hpp"
#include "start/host_particles.hpp"

namespace mesowarp {

// The same on all ranks but for the place. Parts are no thinner than cutoff and skin, nor than `narrowest`. Throws
// InputError: the box has no room for so many ranks.
RankPart rankPart(const input::Deck& deck, const comm::Communicator& ranks, i64 particles, double narrowest = 0.0);

}  // namespace mesowarp
