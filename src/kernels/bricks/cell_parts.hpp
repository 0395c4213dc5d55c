// The cells of a rank in two parts: those that it shares with neighbours, and those inside, whose sums are complete
// while the others' are still under way.
#pragma once

#include <array>
#include <vector>

#include "device/host_copy.hpp"
#include "kernels/bricks/brick_grid.hpp"
#include "kernels/bricks/own_cells.hpp"

namespace mesowarp {

enum class CellPart { all, inner, border };

// Along each axis from low up to high, counted from the span's first cell.
struct InnerCells {
  int low[3] = {}, high[3] = {};

  // An axis that is not cut has no others, and may be gone around.
  bool whole(const BrickGrid& grid, int axis) const { return low[axis] == 0 && high[axis] == grid.span[axis]; }
  KOKKOS_FORCEINLINE_FUNCTION bool has(const int (&at)[3]) const {
    bool inner = true;
    for (int axis = 0; axis < 3; ++axis) inner = inner && at[axis] >= low[axis] && at[axis] < high[axis];
    return inner;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has(const BrickGrid& grid, int cell) const { return has(grid.at(cell).of); }
};

// Of a brick, along each axis.
inline std::array<int, 3> placeOfBrick(const BrickGrid& grid, int brick) {
  return {brick % grid.bricks[0], brick / grid.bricks[0] % grid.bricks[1], brick / (grid.bricks[0] * grid.bricks[1])};
}

// Whether it has cells of the domain.
inline bool isOfDomain(const BrickGrid& grid, int brick) {
  const auto at = placeOfBrick(grid, brick);
  bool is = true;
  for (int axis = 0; axis < 3; ++axis) {
    const int along = at[static_cast<std::size_t>(axis)];
    is = is && along >= grid.firstOwn(axis) && along <= grid.lastOwn(axis);
  }
  return is;
}

// Bricks whose cells are all within these, wherever their windows are for a shift; and the others. Both in their order.
inline std::array<std::vector<int>, 2> bricksInside(const BrickGrid& grid, const InnerCells& cells) {
  std::array<std::vector<int>, 2> bricks;
  for (int brick = 0; brick < grid.bricksInAll(); ++brick) {
    const auto at = placeOfBrick(grid, brick);
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      if (cells.whole(grid, axis)) continue;
      const int first = at[static_cast<std::size_t>(axis)] * grid.edge[axis];
      inside = inside && first - 1 >= cells.low[axis] && first + grid.edge[axis] + windowMargin <= cells.high[axis];
    }
    bricks[inside ? 0 : 1].push_back(brick);
  }
  return bricks;
}

// Particles of bricks, as the pass has gone through them: windows of bricks without any are zero.
struct BrickFill {
  const int* start = nullptr;  // null: nobody knows
  int particles = 0;

  KOKKOS_FORCEINLINE_FUNCTION bool empty(const BrickGrid& grid, int brick) const {
    if (start == nullptr || brick + 1 == grid.bricksInAll()) return false;  // the last one's may be behind
    return start[brick] >= start[brick + 1] || start[brick] >= particles;
  }
};

class CellParts {
public:
  CellParts() = default;
  CellParts(const BrickGrid& grid, const InnerCells& inner) : cells_(inner) {
    const auto [inside, others] = bricksInside(grid, inner);
    inner_ = toDevice<int>("inner bricks", inside), border_ = toDevice<int>("border bricks", others);
    std::vector<int> all = inside;
    firstShared_ = static_cast<int>(inside.size() / 2);
    all.insert(all.begin() + firstShared_, others.begin(), others.end());
    all_ = toDevice<int>("all bricks", all);
    all = others;
    all.insert(all.end(), inside.begin(), inside.end());
    borderFirst_ = toDevice<int>("border bricks first", all);
    borderPieces_ = toDevice<int>("parts of border bricks", piecesOutside(grid, inner));
  }
  const InnerCells& inner() const { return cells_; }
  // Of all: half of those inside come first, then the others, from number firstShared() on: what these wait for may
  // come meanwhile, and they take longer than those that a kernel ends with.
  const DeviceArray<int>& bricks(CellPart part) const {
    return part == CellPart::all ? all_ : part == CellPart::inner ? inner_ : border_;
  }
  int firstShared() const { return firstShared_; }
  // All, those at the border first: where nothing is waited for a kernel best begins with what takes longest.
  const DeviceArray<int>& borderFirst() const { return borderFirst_; }
  // Parts of bricks that have border cells, number partsOfBrick * brick + part.
  static constexpr int partsOfBrick = 4;  // along z
  const DeviceArray<int>& borderPieces() const { return borderPieces_; }
  int number(CellPart part) const { return static_cast<int>(bricks(part).extent(0)); }
  std::size_t bytes() const { return (3 * all_.extent(0) + borderPieces_.extent(0)) * sizeof(int); }

private:
  // That have a cell, for some shift, which is neither one of these nor there for the bricks' sake alone.
  static std::vector<int> piecesOutside(const BrickGrid& grid, const InnerCells& cells) {
    constexpr GridShift last{{~0u, ~0u, ~0u}};  // others may begin a cell earlier
    std::vector<int> pieces;
    for (int part = 0; part < partsOfBrick; ++part)
      for (int brick = 0; brick < grid.bricksInAll(); ++brick) {
        const auto at = placeOfBrick(grid, brick);
        bool inside = true, spare = false;
        for (int axis = 0; axis < 3; ++axis) {
          if (cells.whole(grid, axis)) continue;
          const OwnCells all(grid, axis, at[static_cast<std::size_t>(axis)], last);
          const OwnCells along = axis == 2 ? all.part(part, partsOfBrick) : all;
          const int end = along.first + along.own;
          inside = inside && along.first - 1 >= cells.low[axis] && end <= cells.high[axis];
          spare = spare || along.own == 0 || end <= grid.spare[axis];
        }
        if (!inside && !spare) pieces.push_back(partsOfBrick * brick + part);
      }
    return pieces;
  }
  InnerCells cells_;
  DeviceArray<int> inner_, border_, all_, borderFirst_, borderPieces_;
  int firstShared_ = 0;
};

}  // namespace mesowarp
