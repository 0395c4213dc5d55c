// Signed distances on a regular grid over the box: of a surface of triangles, or from a file.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "physics/boundary/deck/triangles.hpp"

namespace mesowarp::boundary {

struct SampledDistance {
  std::vector<float> value;  // length, x fastest; nodes as DistanceGrid has them (physics/boundary/solid.hpp)
  std::array<int, 3> nodes{};
};

// Negative inside of the surface. Exact at the nodes up to `band` from it; beyond that plus or minus the band. Along
// axes on which the surface fits into the box it repeats with it; along others only what lies in the box counts, so
// that a surface may have its ends beyond the box's. Throws InputError: it would take too much memory.
SampledDistance sampleTriangles(const std::vector<Triangle>& triangles, const input::BoxBlock& box, double spacing,
                                double band);

// The dataset `distance` of an HDF5 file, of three dimensions, z, y, x. Throws InputError.
SampledDistance readDistances(const std::string& path);

// Nodes along each axis at about this spacing, or less.
std::array<int, 3> nodesFor(const input::BoxBlock& box, double spacing);

}  // namespace mesowarp::boundary
