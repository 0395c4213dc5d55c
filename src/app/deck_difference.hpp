// What a deck and a checkpoint's deck have in common, when a run is resumed.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp {

// Throws InputError if the checkpoint is of another box, other species or another precision, which cannot be continued.
void refuseOtherSystem(const std::string& checkpointDeck, const input::Deck& deck, const std::string& path);

// Lines of the resolved decks that differ, "old -> new"; the number of steps does not count.
std::vector<std::string> deckDifferences(const std::string& checkpointDeck, const std::string& deck);

}  // namespace mesowarp
