// How many particles a file to start from holds.
#pragma once

#include <cstdint>
#include <string>

namespace mesowarp::io {

// Of a checkpoint, a trajectory, LAMMPS data (its header says) or a LAMMPS dump (its last frame). A checkpoint is
// verified. Throws InputError if the file is none of these or cannot be read.
std::int64_t particlesInFile(const std::string& path);

}  // namespace mesowarp::io
