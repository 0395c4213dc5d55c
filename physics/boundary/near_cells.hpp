// Cells of the grid in which a particle may be near a wall: found once, as neither moves.
#pragma once

#include <cmath>
#include <vector>

#include "device/host_copy.hpp"
#include "grid/cells.hpp"
#include "physics/boundary/solid.hpp"

namespace mesowarp::boundary {

struct CellNear {
  CellIndexer indexer;
  Solid solid;
  double within;                    // of the middle of a cell, length
  DeviceArray<unsigned char> near;  // by rank

  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    const int nx = static_cast<int>(indexer.count[0]), ny = static_cast<int>(indexer.count[1]);
    const int cell[3] = {k % nx, k / nx % ny, k / nx / ny};
    Solid::Point middle{};
    for (int axis = 0; axis < 3; ++axis) middle.x[axis] = static_cast<u64>(indexer.middle(cell[axis], 1, axis)) << 32;
    near(indexer.rankOfCell(k)) = solid(middle).distance < within ? 1 : 0;
  }
};

// Numbers of the cells that have a point nearer to the solid than `reach`, or in it, and some more.
inline DeviceArray<int> cellsNear(const CellGrid& grid, const Box& box, const Solid& solid, double reach) {
  // Distances between the nodes of a grid may change faster than places do.
  constexpr double steepest = 1.75;
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) squared += std::pow(0.5 * grid.cellWidth(box, axis), 2);
  DeviceArray<unsigned char> near("cells near walls", static_cast<std::size_t>(grid.cells()));
  Kokkos::parallel_for("find cells near walls", Range(0, grid.cells()),
                       CellNear{grid.indexer(), solid, reach + steepest * std::sqrt(squared), near});
  const auto host = hostCopy(near);
  std::vector<int> cells;
  for (int c = 0; c < grid.cells(); ++c)
    if (host(static_cast<std::size_t>(c)) != 0) cells.push_back(c);
  return toDevice<int>("numbers of cells near walls", cells);
}

}  // namespace mesowarp::boundary
