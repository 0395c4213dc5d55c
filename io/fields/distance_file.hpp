// The signed distance to walls at the nodes of a regular grid, NAME.h5 and NAME.xmf: the contour at 0 is the wall.
#pragma once

#include <string>
#include <vector>

#include "io/fields/xdmf_series.hpp"

namespace mesowarp::io {

// distance: of each node, one more than cells along each axis, x fastest; length. Replaces what is there. Throws
// RunError.
void writeDistances(const std::string& directory, const std::string& name, const XdmfGrid& grid,
                    const std::vector<float>& distance);

}  // namespace mesowarp::io
