// The convex hull of points on a sphere: a triangulation that has all of them.
#pragma once

#include "physics/membrane/mesh/surface.hpp"

namespace mesowarp::membrane {

// Of unit vectors, at least four that are not in a plane; time: the square of their number. Throws InputError.
Surface hullOf(const std::vector<Point>& onSphere);

}  // namespace mesowarp::membrane
