// The cells that a brick has, along an axis, as a pass over cells goes through them: those that lie where the first
// places of its window are.
#pragma once

#include <vector>

#include "kernels/bricks/brick_grid.hpp"

namespace mesowarp {

struct OwnCells {
  int first;        // its first cell, counted from the span's; may be -1
  int own;          // cells that it has; the last brick of a span that is no whole period has two more
  int places;       // that are added to them
  int before;       // the brick before it; -1: none
  int beforeWidth;  // cells of that
  int skipped = 0;  // of a part: cells of the brick before its first

  KOKKOS_INLINE_FUNCTION OwnCells(const BrickGrid& grid, int axis, int brick, const GridShift& shift) {
    const bool whole = grid.span[axis] == grid.cells[axis], last = brick + 1 == grid.bricks[axis];
    first = brick * grid.edge[axis] - (shift.of[axis] < grid.halfCell[axis] ? 1 : 0);
    own = BrickWindow::widthOf(grid, axis, brick) - (whole || !last ? windowMargin : 0);
    before = grid.bricks[axis] == 1 ? -1 : brick > 0 ? brick - 1 : whole ? grid.bricks[axis] - 1 : -1;
    beforeWidth = before < 0 ? 0 : BrickWindow::widthOf(grid, axis, before) - windowMargin;
    places = own + (before < 0 ? 0 : windowMargin);
  }
  // Part k of n.
  KOKKOS_INLINE_FUNCTION OwnCells part(int k, int n) const {
    OwnCells some = *this;
    const int end = own * (k + 1) / n, two = end < windowMargin ? end : windowMargin;  // that the brick before has, too
    some.skipped = own * k / n, some.first += some.skipped, some.own = end - some.skipped;
    some.places = some.own + (before < 0 || two < some.skipped ? 0 : two - some.skipped);
    return some;
  }
  // Of a place: the cell that it is added to.
  KOKKOS_FORCEINLINE_FUNCTION int cellOf(int place) const { return place < own ? place : place - own; }
  KOKKOS_FORCEINLINE_FUNCTION int placeInWindow(int place) const {
    return skipped + (place < own ? place : place - own + beforeWidth);
  }
};

// Where a place of those that are added to a brick's cells is, and to which of them: in a word.
struct PlacePath {
  // Of a place in a window; of a cell. Shared memory has no room for 2^12 of either (chooseBricks).
  static constexpr int bits = 12;
  // a, b, c: which along each axis.
  KOKKOS_FORCEINLINE_FUNCTION static u32 of(const BrickGrid& grid, const OwnCells& x, const OwnCells& y,
                                            const OwnCells& z, int a, int b, int c) {
    const int window = (a < x.own ? 0 : 1) + (b < y.own ? 0 : 2) + (c < z.own ? 0 : 4);
    const int place =
        (z.placeInWindow(c) * grid.windowEdge(1) + y.placeInWindow(b)) * grid.windowEdge(0) + x.placeInWindow(a);
    const int cell = (z.cellOf(c) * y.own + y.cellOf(b)) * x.own + x.cellOf(a);
    return static_cast<u32>(place) | static_cast<u32>(cell) << bits | static_cast<u32>(window) << 2 * bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION static u32 place(u32 path) { return path & ((u32{1} << bits) - 1); }
  KOKKOS_FORCEINLINE_FUNCTION static int cell(u32 path) {
    return static_cast<int>(path >> bits & ((u32{1} << bits) - 1));
  }
  // 1, 2, 4: of the brick before along x, y, z.
  KOKKOS_FORCEINLINE_FUNCTION static int window(u32 path) { return static_cast<int>(path >> 2 * bits); }
};

// Of all places, those along x first, of a brick that is full and has a full one before it along each axis.
inline std::vector<u32> pathsOfFullBrick(const BrickGrid& grid) {
  OwnCells along[3] = {{grid, 0, 0, {}}, {grid, 1, 0, {}}, {grid, 2, 0, {}}};
  for (int axis = 0; axis < 3; ++axis)
    along[axis].own = along[axis].beforeWidth = grid.edge[axis], along[axis].places = grid.windowEdge(axis);
  std::vector<u32> paths;
  for (int c = 0; c < along[2].places; ++c)
    for (int b = 0; b < along[1].places; ++b)
      for (int a = 0; a < along[0].places; ++a)
        paths.push_back(PlacePath::of(grid, along[0], along[1], along[2], a, b, c));
  return paths;
}

}  // namespace mesowarp
