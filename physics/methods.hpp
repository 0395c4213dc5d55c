// The table of methods, as runs see them.
#pragma once

#include "physics/method.hpp"

namespace mesowarp {

// Those that a deck has populations of, in the order of input::methodBlocks().
std::vector<const Method*> methodsIn(const input::Deck& deck);
// That of a population.
const Method& methodFor(const input::Population& population);

// An engine at the deck's initial state. Throws InputError.
std::unique_ptr<Engine> engineOfDeck(const input::Deck& deck, const comm::Communicator* ranks = nullptr);

}  // namespace mesowarp
