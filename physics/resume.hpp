// What a checkpoint holds, as populations: the engine it resumes, or the state another run starts from.
#pragma once

#include <memory>
#include <string>

#include "physics/methods.hpp"

namespace mesowarp {

// The deck in a checkpoint, as text, and its step. Throws InputError: path is no checkpoint of a run.
const std::string& deckTextOf(const io::CheckpointContent& content, const std::string& path);
std::int64_t stepOf(const io::CheckpointContent& content, const std::string& path);

// What does not depend on the precision: the step, who stored which rows, the counters, tags (0, 1, 2, … each once),
// and bonds: each stands in the rows of both its particles, with the same type, of which the deck has a block. (The
// populations look at their own fields.) Throws InputError, on all ranks alike. Collective; each rank looks at its
// rows, with all of the host's threads.
void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck, const comm::Communicator* ranks);

// An engine for this deck with the checkpoint's state in it, before advance(step); ranks: that have read it together,
// null: one. Throws InputError, on all ranks alike, if the checkpoint (of the file `path`) is of another kind of run or
// another deck, or holds what no run has.
std::unique_ptr<Engine> engineOfCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                                           const std::string& path, const comm::Communicator* ranks = nullptr);

// The particles of one method in a checkpoint, at its step; content: with the arrays of its population under their own
// names.
struct CheckpointState {
  input::Deck deck;
  io::CheckpointContent content;
  io::Snapshot snapshot;
};

// Needs Kokkos. Throws InputError; also if there are no such particles.
CheckpointState stateOfCheckpoint(const std::string& path, const input::MethodBlocks& method);

}  // namespace mesowarp
