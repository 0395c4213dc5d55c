// How a run comes by its deck: the root reads it, all ranks parse the same text.
#pragma once

#include <optional>

#include "app/commands.hpp"
#include "comm/communicator.hpp"
#include "input/deck.hpp"

namespace mesowarp {

// Where a request's results go.
std::string outputDirectory(const RunRequest& request);

// Parses and checks the deck of a request and prints what is to be said of it, errors and warnings (quiet: errors
// alone). Nothing if there are errors.
std::optional<input::Deck> readDeck(const RunRequest& request);

// Collective. The root reads, checks and tells, as readDeck() does; the others get its text and its request, so that
// neither a deck that they lack or have otherwise, nor another command line of theirs, can make their run another. Of a
// request threads and quiet stay each rank's own. A command line that differs in the rest is warned of. Nothing, on all
// ranks, if the deck has errors. Throws InputError on all if a file that the deck names is missing on one or another.
std::optional<input::Deck> handOutDeck(RunRequest& request, const comm::Communicator& ranks);

}  // namespace mesowarp
