// How a deck's box is cut, or its bodies are shared out, and which part is this rank's.
#pragma once

#include "comm/rank_part.hpp"
#include "start/host_particles.hpp"
#include "input/deck.hpp"

namespace mesowarp {

// The same on all ranks but for the place. Throws InputError: the box has no room for so many ranks, or there are fewer
// bodies.
RankPart rankPart(const input::Deck& deck, const comm::Communicator& ranks, i64 particles);

// Drops what is not of this rank's part.
void keepPart(HostParticles& particles, const RankPart& part);

}  // namespace mesowarp
