// The beads of chains as a fluid: what walls beside chains are cut from and tried in.
#pragma once

#include "input/deck.hpp"

namespace mesowarp::fluid {

// The same deck without molecules. Beads are single particles, of each species as many per volume as there are of them
// beside the walls.
input::Deck withSingleBeads(const input::Deck& deck);

}  // namespace mesowarp::fluid
