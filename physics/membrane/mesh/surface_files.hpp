// Surfaces from files.
#pragma once

#include <string>

#include "physics/membrane/mesh/surface.hpp"

namespace mesowarp::membrane {

// OFF, PLY (text, or binary of low bytes first), STL (text or binary: corners at the same place are one vertex), by the
// end of the name. Polygons are cut into triangles. Not checked further. Throws InputError.
Surface readSurface(const std::string& path);

// A name that readSurface() takes.
bool isSurfaceFile(const std::string& path);

}  // namespace mesowarp::membrane
