// The cells that a brick has, along an axis, as a pass over cells goes through them: those that lie where the first
// places of its window are.
#pragma once

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

}  // namespace mesowarp
