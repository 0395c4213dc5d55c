// Cells of a grid that is shifted at random from step to step, and bricks of cells that do not move. Particles are
// sorted by bricks now and then; in between they move about a cell, so the cells of a brick's particles lie in a window
// around it, whatever the shift, but for a few.
//
// Cells are counted along the period of an axis, so that a cell is the leading bits of a coordinate times their number,
// and both wrap around alike. A rank has a span of them: its domain and a margin, or all of an axis that is not cut.
#pragma once

#include "core/box.hpp"

namespace mesowarp {

constexpr int brickEdge = 8;               // cells
constexpr int windowEdge = brickEdge + 2;  // cells
constexpr int windowCells = windowEdge * windowEdge * windowEdge;

// Of a shift of the grid: 0 up to a cell, as a fraction of each period.
struct GridShift {
  u32 of[3] = {};
};

struct BrickGrid {
  int cells[3] = {1, 1, 1};  // of the period along each axis
  int first[3] = {};         // of this rank's span
  int span[3] = {1, 1, 1};
  int bricks[3] = {1, 1, 1};  // that cover the span
  u32 halfCell[3] = {};       // as a fraction of the period

  KOKKOS_INLINE_FUNCTION int bricksInAll() const { return bricks[0] * bricks[1] * bricks[2]; }
  KOKKOS_INLINE_FUNCTION int cellsInAll() const { return span[0] * span[1] * span[2]; }

  // Of leading bits, shifted or not: number within the span; beyond it, at least span.
  KOKKOS_FORCEINLINE_FUNCTION int local(int axis, u32 leading) const {
    const int cell = static_cast<int>(static_cast<u64>(leading) * static_cast<u32>(cells[axis]) >> 32) - first[axis];
    return cell < 0 ? cell + cells[axis] : cell;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has(const int (&at)[3]) const {
    return at[0] < span[0] && at[1] < span[1] && at[2] < span[2];
  }
  KOKKOS_FORCEINLINE_FUNCTION int index(const int (&at)[3]) const {
    return (at[2] * span[1] + at[1]) * span[0] + at[0];
  }
  // The same number of a cell on every rank.
  KOKKOS_INLINE_FUNCTION u64 global(int index) const {
    int at[3] = {index % span[0], index / span[0] % span[1], index / (span[0] * span[1])};
    for (int axis = 0; axis < 3; ++axis) at[axis] = (at[axis] + first[axis]) % cells[axis];
    return (static_cast<u64>(at[2]) * static_cast<u32>(cells[1]) + static_cast<u32>(at[1])) *
               static_cast<u32>(cells[0]) +
           static_cast<u32>(at[0]);
  }
  // The last brick takes what lies beyond the span, too.
  KOKKOS_INLINE_FUNCTION int brickOf(u32 x, u32 y, u32 z) const {
    const u32 leading[3] = {x, y, z};
    int at[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int brick = local(axis, leading[axis]) / brickEdge;
      at[axis] = brick < bricks[axis] ? brick : bricks[axis] - 1;
    }
    return (at[2] * bricks[1] + at[1]) * bricks[0] + at[0];
  }
};

// Where a brick's window lies for a shift: each of its sides has a margin of half a cell to one and a half. Cells of it
// are counted from its first one; where the period has fewer than the window, the last places stay empty.
struct BrickWindow {
  int origin[3];  // its first cell, counted from the span's first
  int first[3];   // the same, counted from the period's
  int cells[3], span[3];

  KOKKOS_INLINE_FUNCTION BrickWindow(const BrickGrid& grid, int brick, const GridShift& shift) {
    const int at[3] = {brick % grid.bricks[0], brick / grid.bricks[0] % grid.bricks[1],
                       brick / (grid.bricks[0] * grid.bricks[1])};
    for (int axis = 0; axis < 3; ++axis) {
      cells[axis] = grid.cells[axis], span[axis] = grid.span[axis];
      origin[axis] = at[axis] * brickEdge - (shift.of[axis] < grid.halfCell[axis] ? 1 : 0);
      if (origin[axis] < 0) origin[axis] += cells[axis];
      first[axis] = origin[axis] + grid.first[axis];
      if (first[axis] >= cells[axis]) first[axis] -= cells[axis];
    }
  }
  // The cell of leading bits, shifted: how many behind the first one.
  KOKKOS_FORCEINLINE_FUNCTION int behind(int axis, u32 leading) const {
    const int cell = static_cast<int>(static_cast<u64>(leading) * static_cast<u32>(cells[axis]) >> 32) - first[axis];
    return cell < 0 ? cell + cells[axis] : cell;
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool within(const int (&in)[3]) {
    return in[0] < windowEdge && in[1] < windowEdge && in[2] < windowEdge;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int placeOf(const int (&in)[3]) {
    return (in[2] * windowEdge + in[1]) * windowEdge + in[0];
  }
  // As an index of the grid; -1: this rank does not have it, or it is there already, a period before.
  KOKKOS_FORCEINLINE_FUNCTION int cellBehind(const int (&in)[3]) const {
    int at[3];
    bool has = true;
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = in[axis] + origin[axis];
      if (at[axis] >= cells[axis]) at[axis] -= cells[axis];
      has = has && in[axis] < cells[axis] && at[axis] < span[axis];
    }
    return has ? (at[2] * span[1] + at[1]) * span[0] + at[0] : -1;
  }
  KOKKOS_FORCEINLINE_FUNCTION int cell(int place) const {
    const int in[3] = {place % windowEdge, place / windowEdge % windowEdge, place / (windowEdge * windowEdge)};
    return cellBehind(in);
  }
};

}  // namespace mesowarp
