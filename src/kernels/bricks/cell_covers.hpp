// Which windows have a cell: along each axis one, or two where they overlap. For each cell of an axis, and both places
// that windows may have for a shift, how far behind the first window's first place its places in these begin; offsets
// along the axes add up.
#pragma once

#include <vector>

#include "device/host_copy.hpp"
#include "kernels/bricks/brick_grid.hpp"

namespace mesowarp {

struct Cover {
  static constexpr u32 none = ~0u;
  u32 first = none, second = none;
};

// n / d for n < 2^31 by a multiplication.
struct Quotient {
  u32 factor = 0;
  int shift = 31;
  static Quotient by(int d) {
    Quotient q;
    while (u64{1} << (q.shift - 31) < static_cast<u64>(d)) ++q.shift;
    q.factor = static_cast<u32>(((u64{1} << q.shift) + static_cast<u64>(d) - 1) / static_cast<u64>(d));
    return q;
  }
  KOKKOS_FORCEINLINE_FUNCTION int of(int n) const {
    return static_cast<int>(static_cast<u64>(static_cast<u32>(n)) * factor >> shift);
  }
};

class CellCovers {
public:
  CellCovers() = default;
  // words: that a window has, the next one's behind them.
  CellCovers(const BrickGrid& grid, int words) {
    std::vector<Cover> all;
    u32 ofBrick = static_cast<u32>(words), ofPlace = 1;
    for (int axis = 0; axis < 3; ++axis) {
      for (const int low : {0, 1}) {
        start_[axis][low] = static_cast<int>(all.size());
        GridShift shift;
        shift.of[axis] = low == 1 ? 0 : grid.halfCell[axis];
        for (int cell = 0; cell < grid.span[axis]; ++cell)
          all.push_back(coverOf(grid, axis, cell, shift, ofBrick, ofPlace));
      }
      ofBrick *= static_cast<u32>(grid.bricks[axis]), ofPlace *= static_cast<u32>(grid.windowEdge(axis));
    }
    covers_ = toDevice<Cover>("windows of cells", all);
  }
  const Cover* of(const BrickGrid& grid, int axis, const GridShift& shift) const {
    return covers_.data() + start_[axis][shift.of[axis] < grid.halfCell[axis] ? 1 : 0];
  }
  std::size_t bytes() const { return covers_.extent(0) * sizeof(Cover); }

private:
  static Cover coverOf(const BrickGrid& grid, int axis, int cell, const GridShift& shift, u32 ofBrick, u32 ofPlace) {
    Cover cover;
    for (int brick = 0; brick < grid.bricks[axis]; ++brick) {
      const int behind = cell - BrickWindow::originOf(grid, axis, brick, shift);
      const int in = behind < 0 ? behind + grid.cells[axis] : behind;
      if (in >= BrickWindow::widthOf(grid, axis, brick)) continue;
      const u32 offset = static_cast<u32>(brick) * ofBrick + static_cast<u32>(in) * ofPlace;
      (cover.first == Cover::none ? cover.first : cover.second) = offset;
    }
    return cover;
  }

  DeviceArray<Cover> covers_;
  int start_[3][2] = {};
};

}  // namespace mesowarp
