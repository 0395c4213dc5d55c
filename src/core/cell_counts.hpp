// How many cells a box is cut into; known to the checks of a deck, too, which have no Kokkos.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace mesowarp {

// Particles are sorted by a key of 32 bits, 6 of them for the place within a cell.
constexpr double mostCells = 67108864.0;
constexpr int mostCellsAlong = 1024;  // an axis

// Cells along each axis: as many as are no narrower than the reach along it, at least 1, within both limits. A box that
// would have more gets wider cells.
inline std::array<int, 3> cellsAlong(const std::array<double, 3>& size, std::array<double, 3> reach) {
  if (!(reach[0] > 0.0)) return {1, 1, 1};  // nothing interacts
  for (;; reach[0] *= 1.001, reach[1] *= 1.001, reach[2] *= 1.001) {
    std::array<int, 3> cells{};
    double all = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double fits = std::clamp(std::floor(size[axis] / reach[axis]), 1.0, static_cast<double>(mostCellsAlong));
      cells[axis] = static_cast<int>(fits);
      all *= fits;
    }
    if (all <= mostCells) return cells;
  }
}

inline std::array<int, 3> cellsAlong(const std::array<double, 3>& size, double reach) {
  return cellsAlong(size, {reach, reach, reach});
}

}  // namespace mesowarp
