// What the builders of neighbour rows read.
#pragma once

#include "core/box.hpp"
#include "device/side_stream.hpp"
#include "grid/cells.hpp"
#include "kernels/rows/neighbor_table.hpp"

namespace mesowarp::backend {

// What a build reads: particles sorted by cell, their keys, and the grid with its boundaries. Ghosts follow the
// particles.
template <class Coord>
struct RowInput {
  const Box& box;
  const CellGrid& grid;
  const DeviceArray<u32>& keys;
  const DeviceArray<Vec3<Coord>>& positions;
  int particles, stored;  // rows to build; positions there are
  const Exclusions& exclusions;
  double cutoff, reach;  // length
  ListPart part = ListPart::all;
  SideStream* side = nullptr;  // for the border

  // Distances are compared in single precision (DPD paper, section 3.4): a pair on the edge of the skin may be listed
  // or not, either is right; the margin keeps every pair that is within reach in exact arithmetic.
  float reach2() const { return static_cast<float>(reach * reach * (1.0 + 1e-5)); }
};

}  // namespace mesowarp::backend
