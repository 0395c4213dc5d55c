// Whether the content of a checkpoint is a state that an engine may take over: asked before any memory of a device is
// touched, since a hash does not tell who wrote a file.
#pragma once

#include "comm/communicator.hpp"
#include "input/deck.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace mesowarp {

// The deck in a checkpoint, as text, and its step. Throws InputError: path is no checkpoint of a run.
const std::string& deckTextOf(const io::CheckpointContent& content, const std::string& path);
std::int64_t stepOf(const io::CheckpointContent& content, const std::string& path);

// What does not depend on the precision: the step, who stored which rows, the counters, tags (0, 1, 2, … each once),
// and bonds: each stands in the rows of both its particles, with the same type, of which the deck has a block. (The
// engine looks at its own fields.) Throws InputError, on all ranks alike. Collective; each rank looks at its rows, with
// all of the host's threads.
void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck, const comm::Communicator* ranks);

}  // namespace mesowarp
