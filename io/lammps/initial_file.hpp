// Initial states from other programs' files and our own trajectories, told apart by content, not by name. Of our own
// checkpoints only populations know the fields.
#pragma once

#include <array>
#include <string>

#include "io/h5md/snapshot.hpp"

namespace mesowarp::io {

// The last frame of a trajectory or of a LAMMPS dump, or a LAMMPS data file; periodic: along which axes positions
// outside the box are wrapped into it, as in readLammpsData(). Throws InputError.
FileState readInitialFile(const std::string& path, const std::array<bool, 3>& periodic = {true, true, true});

// Throws InputError, with the remedy, if the file is GSD, which has to be converted.
void refuseGsd(const std::string& path);

}  // namespace mesowarp::io
