// What a checkpoint holds, as a particle system: the engine it resumes, or the state another run starts from.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "comm/rank_part.hpp"
#include "input/deck.hpp"
#include "step/engine.hpp"

namespace mesowarp {

// What this rank takes of so many particles.
using PartOf = std::function<RankPart(i64 particles)>;

// An engine for this deck with the checkpoint's state in it, before advance(step); ranks: that have read it together,
// null: one; partOf: empty on one rank. Throws InputError, on all ranks alike, if the checkpoint (of the file `path`)
// is of another kind of run or another deck, or holds what no run has.
std::unique_ptr<Engine> engineOfCheckpoint(const io::CheckpointContent& content, const input::Deck& deck,
                                           const std::string& path, const comm::Communicator* ranks = nullptr,
                                           const PartOf& partOf = {});

// Positions, velocities, species and bonds of a checkpoint, ordered by tag, at the checkpoint's step. A bond's type is
// the number of its [[bond]] block in the checkpoint's deck, from 1. Needs Kokkos. Throws InputError.
io::InitialState stateOfCheckpoint(const std::string& path);

// The bodies of a checkpoint at its step, the names of their species and their charges. Needs Kokkos. Throws
// InputError.
io::Snapshot bodiesOfCheckpoint(const std::string& path, std::vector<std::string>& species,
                                std::vector<double>& charge);

}  // namespace mesowarp
