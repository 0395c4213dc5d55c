// What checkpoints hold of particles in a box, beside their fields.
#pragma once

#include "input/deck.hpp"
#include "io/h5md/snapshot.hpp"
#include "start/checkpoint_rows.hpp"
#include "start/host_particles.hpp"

namespace mesowarp::fluid {

// Rows and tags, the counters of the neighbour list, and bonds, angles, dihedrals: each stands in the rows of all its
// particles, with the same type, of which the deck has a block. Throws InputError, on all ranks alike. Collective.
void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck, const comm::Communicator* ranks);

// Bonds, angles and dihedrals that a particle has room for.
TermSlots slotsOf(const io::CheckpointContent& content);

// Positions, velocities, species, bonds, angles and dihedrals of a checkpoint, ordered by tag, at the checkpoint's
// step. A bond's type is the number of its [[bond]] block in the checkpoint's deck, from 1. Needs Kokkos. Throws
// InputError.
io::FileState readState(const std::string& path);

}  // namespace mesowarp::fluid
