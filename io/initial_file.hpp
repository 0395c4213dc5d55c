// Initial states from whatever file a deck names: our own trajectory (its last frame), our own checkpoint, or a LAMMPS
// data file; told apart by content, not by name.
#pragma once

#include <string>

#include "io/snapshot.hpp"

namespace mesowarp::io {

// Throws InputError. A checkpoint must hold the arrays (f64) box [1][3], position [N][3] in the box, optionally
// velocity [N][3], image (i32) [N][3], species (i32) [N][1], tag (u32) [N][1], by which particles are then ordered,
// bonds (u32) [B][2] with pairs of tags, bond_type (i32) [B][1] from 1, and optionally the text species_names, one a
// line.
InitialState readInitialFile(const std::string& path);

}  // namespace mesowarp::io
