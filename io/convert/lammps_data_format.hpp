// One frame as a LAMMPS data file (LAMMPS manual, read_data), for convertTrajectory().
#pragma once

#include <fmt/format.h>

#include "io/convert/frame_format.hpp"

namespace mesowarp::io {

// Header, Masses (1 where the trajectory has none), Atoms (atom style molecular, or atomic without bonds; with image
// flags), Velocities, Bonds, Angles, Dihedrals. Atom types are species + 1, ids tag + 1. Of bodies the box is the one
// around them. Throws InputError if particles of one species differ in mass, which this format cannot say.
void formatLammpsData(fmt::memory_buffer& out, const Snapshot& snapshot, const FrameStyle& style);

}  // namespace mesowarp::io
