// LAMMPS dumps (text, styles atom and custom) as initial states: the last frame. Format: LAMMPS manual, dump.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "io/h5md/snapshot.hpp"

namespace mesowarp::io {

// Whether a file begins as a dump does.
bool looksLikeLammpsDump(const std::string& path);

// The atoms of the last frame.
std::int64_t atomsOfLammpsDump(const std::string& path);

// Columns that are read: id and type, which must be there; x y z, or xs ys zs (fractions of the box), or xu yu zu or
// xsu ysu zsu (unwrapped); ix iy iz; vx vy vz; mol; mass (of a type, 0 where its atoms have several). Others are
// skipped; a dump has no bonds.
// Particles are ordered by id, positions moved so that the box starts at 0 and, along periodic axes, wrapped into it,
// as in readLammpsData(). Throws InputError "file:line: …".
FileState readLammpsDump(const std::string& path, const std::array<bool, 3>& periodic = {true, true, true});

}  // namespace mesowarp::io
