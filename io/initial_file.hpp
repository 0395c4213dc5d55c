// Initial states from other programs' files and our own trajectories, told apart by content, not by name. Of our own
// checkpoints only the engine knows the fields: app/checkpoint_state.hpp.
#pragma once

#include <string>

#include "io/snapshot.hpp"

namespace mesowarp::io {

// The last frame of a trajectory, or a LAMMPS data file. Throws InputError.
InitialState readInitialFile(const std::string& path);

}  // namespace mesowarp::io
