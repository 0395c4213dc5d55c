// The cells of a rank in two parts: those that it shares with neighbours, and those inside, whose sums are complete
// while the others' are still under way.
#pragma once

#include <vector>

#include "device/host_copy.hpp"
#include "kernels/bricks/brick_grid.hpp"

namespace mesowarp {

enum class CellPart { all, inner, border };

// Along each axis from low up to high, counted from the span's first cell.
struct InnerCells {
  int low[3] = {}, high[3] = {};

  KOKKOS_FORCEINLINE_FUNCTION bool has(const BrickGrid& grid, int cell) const {
    const int at[3] = {cell % grid.span[0], cell / grid.span[0] % grid.span[1], cell / (grid.span[0] * grid.span[1])};
    bool inner = true;
    for (int axis = 0; axis < 3; ++axis) inner = inner && at[axis] >= low[axis] && at[axis] < high[axis];
    return inner;
  }
};

class CellParts {
public:
  CellParts() = default;
  CellParts(const BrickGrid& grid, const InnerCells& inner) : cells_(inner) {
    std::vector<int> lists[2];
    for (int brick = 0; brick < grid.bricksInAll(); ++brick) lists[isInner(grid, brick) ? 0 : 1].push_back(brick);
    inner_ = toDevice<int>("inner bricks", lists[0]), border_ = toDevice<int>("border bricks", lists[1]);
  }
  const InnerCells& inner() const { return cells_; }
  // Bricks whose cells are all inside, wherever their windows are for a shift; and the others.
  const DeviceArray<int>& bricks(CellPart part) const { return part == CellPart::inner ? inner_ : border_; }
  std::size_t bytes() const { return (inner_.extent(0) + border_.extent(0)) * sizeof(int); }

private:
  // An axis along which all cells are inside is that of a whole period, and may be gone around.
  bool isInner(const BrickGrid& grid, int brick) const {
    const int at[3] = {brick % grid.bricks[0], brick / grid.bricks[0] % grid.bricks[1],
                       brick / (grid.bricks[0] * grid.bricks[1])};
    for (int axis = 0; axis < 3; ++axis) {
      if (cells_.low[axis] == 0 && cells_.high[axis] == grid.span[axis]) continue;
      const int first = at[axis] * grid.edge[axis];
      if (first - 1 < cells_.low[axis] || first + grid.edge[axis] + windowMargin > cells_.high[axis]) return false;
    }
    return true;
  }
  InnerCells cells_;
  DeviceArray<int> inner_, border_;
};

}  // namespace mesowarp
