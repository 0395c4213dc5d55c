// A mesh as each vertex sees it: its neighbours in order, and what lies beyond them.
#pragma once

#include "physics/membrane/mesh/surface.hpp"

namespace mesowarp::membrane {

// Of vertex i the triangles are (i, ring[k], ring[k + 1]), counter-clockwise seen from outside, and beyond[k] is the
// third corner of the other triangle at the edge (ring[k], ring[k + 1]).
struct Rings {
  std::vector<std::vector<int>> ring, beyond;
  int mostNeighbours() const;
};

// Of a usable surface.
Rings ringsOf(const Surface& surface);

// Each edge once, the lower vertex first.
std::vector<std::array<int, 2>> edgesOf(const Rings& rings);

}  // namespace mesowarp::membrane
