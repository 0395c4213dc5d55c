// LAMMPS data files as initial states: header, Masses, Atoms, Velocities, Bonds, Angles, Dihedrals, Impropers. Format:
// LAMMPS manual, read_data.
#pragma once

#include <array>
#include <string>

#include "io/h5md/snapshot.hpp"

namespace mesowarp::io {

// Reads a data file. Particles are ordered by atom id, positions moved so that the box starts at 0 and, along periodic
// axes, wrapped into it (elsewhere one outside the box is an error); image holds the file's image flags, if it has them
// (all lines of Atoms or none), and what the wrapping added, and is 0 along axes without periodicity. Impropers become
// dihedrals, whose types are counted on behind the file's own dihedral types. Coefficient sections are skipped, since
// the deck says how particles interact; sections and boxes that mesowarp has no counterpart for (bodies, tilted boxes,
// …) are errors. style: "atomic", "bond", "molecular", "angle", "charge", "full", or empty: the hint behind "Atoms #",
// else by the number of columns. Throws InputError "file:line: …".
FileState readLammpsData(const std::string& path, const std::string& style = "",
                         const std::array<bool, 3>& periodic = {true, true, true});

}  // namespace mesowarp::io
