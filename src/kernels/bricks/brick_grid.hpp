// Cells of a grid that is shifted at random from step to step, and bricks of cells that do not move. Particles are
// sorted by bricks now and then; in between they move about a cell, so the cells of a brick's particles lie in a window
// around it, whatever the shift, but for a few.
//
// Cells are counted along the period of an axis, so that a cell is the leading bits of a coordinate times their number,
// and both wrap around alike. A rank has a span of them: its domain and a margin, or all of an axis that is not cut.
#pragma once

#include "core/box.hpp"

namespace mesowarp {

constexpr int windowMargin = 2;  // cells that a brick's window has more than the brick, along each axis

// Words of 32 bits that a line of a GPU's memory has, and threads of a warp.
constexpr int ofLine = 32;
// Words of 32 bits from a window of so many places to the next, so many words a place: whole lines.
constexpr int windowStride(int places, int words) { return (places * words + ofLine - 1) / ofLine * ofLine; }
// Where warps begin that go through numbers from `first` on, so that all of their loads and stores are whole lines: at
// or before it. What is before it is others', and left alone.
KOKKOS_FORCEINLINE_FUNCTION int wholeLines(int first) { return first / ofLine * ofLine; }

// Of a shift of the grid: 0 up to a cell, as a fraction of each period.
struct GridShift {
  u32 of[3] = {};
};

// The cell of leading bits, counted from the first one, behind which the period goes on at its begin. Of the two
// numbers one is negative, or larger by a period.
KOKKOS_FORCEINLINE_FUNCTION int cellBehindFirst(u32 leading, int cells, int first) {
  const u32 cell =
      static_cast<u32>(static_cast<u64>(leading) * static_cast<u32>(cells) >> 32) - static_cast<u32>(first);
  const u32 later = cell + static_cast<u32>(cells);
  return static_cast<int>(cell < later ? cell : later);
}

// A cell of a rank's span: its number, and where it is along each axis. Who knows both spares others the divisions.
struct CellAt {
  int index, of[3];
  KOKKOS_FORCEINLINE_FUNCTION operator int() const { return index; }
};

struct BrickGrid {
  int cells[3] = {1, 1, 1};  // of the period along each axis
  int first[3] = {};         // of this rank's span
  int span[3] = {1, 1, 1};
  int spare[3] = {};                                // cells that it has in front for its bricks' sake alone
  int before[3] = {};                               // cells of the span before the first of the domain itself
  int own[3] = {1, 1, 1};                           // cells of the domain: nearly all particles are there
  int edge[3] = {8, 8, 8};                          // of a brick, in cells; set by cutInto()
  u32 perEdge[3] = {1u << 29, 1u << 29, 1u << 29};  // 2^32 / edge, rounded up: by which n / edge is a multiplication
  int bricks[3] = {1, 1, 1};                        // that cover the span
  u32 halfCell[3] = {};                             // as a fraction of the period

  KOKKOS_INLINE_FUNCTION int bricksInAll() const { return bricks[0] * bricks[1] * bricks[2]; }
  KOKKOS_INLINE_FUNCTION int cellsInAll() const { return span[0] * span[1] * span[2]; }

  // Bricks along an axis that have cells of the domain: the first, the last.
  int firstOwn(int axis) const { return before[axis] / edge[axis]; }
  int lastOwn(int axis) const { return (before[axis] + own[axis] - 1) / edge[axis]; }

  KOKKOS_INLINE_FUNCTION int windowEdge(int axis) const { return edge[axis] + windowMargin; }
  KOKKOS_INLINE_FUNCTION int windowCells() const { return windowEdge(0) * windowEdge(1) * windowEdge(2); }

  // Bricks of so many cells. None of them is one cell thin, unless it is the only one: so of the windows along an axis
  // at most two have a cell.
  void cutInto(int x, int y, int z) {
    const int wished[3] = {x, y, z};
    for (int axis = 0; axis < 3; ++axis) {
      edge[axis] = wished[axis] < 2 ? 2 : wished[axis];
      while (span[axis] > edge[axis] && span[axis] % edge[axis] == 1) ++edge[axis];
      bricks[axis] = (span[axis] + edge[axis] - 1) / edge[axis];
      const u64 d = static_cast<u64>(edge[axis]);
      perEdge[axis] = static_cast<u32>(((u64{1} << 32) + d - 1) / d);
    }
  }

  // The same, along axes that are cut with more cells in front, so that a brick begins where the domain does: bricks of
  // the domain are full, and those around it nearly empty.
  void alignBricks(int x, int y, int z) {
    const int wished[3] = {x, y, z};
    for (int axis = 0; axis < 3; ++axis) {
      if (span[axis] == cells[axis]) continue;
      const int more = (wished[axis] - before[axis] % wished[axis]) % wished[axis];
      int wider = span[axis] + more;
      if (wider > wished[axis] && wider % wished[axis] == 1) ++wider;  // or cutInto would make bricks longer
      if (wider >= cells[axis]) continue;
      first[axis] = (first[axis] + cells[axis] - more) % cells[axis];
      before[axis] += more, span[axis] = wider, spare[axis] = more;
    }
    cutInto(x, y, z);
  }

  // Of leading bits, shifted or not: number within the span; beyond it, at least span.
  KOKKOS_FORCEINLINE_FUNCTION int local(int axis, u32 leading) const {
    return cellBehindFirst(leading, cells[axis], first[axis]);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has(const int (&at)[3]) const {
    return at[0] < span[0] && at[1] < span[1] && at[2] < span[2];
  }
  KOKKOS_FORCEINLINE_FUNCTION int index(const int (&at)[3]) const {
    return (at[2] * span[1] + at[1]) * span[0] + at[0];
  }
  KOKKOS_FORCEINLINE_FUNCTION CellAt at(int index) const {
    return {index, {index % span[0], index / span[0] % span[1], index / (span[0] * span[1])}};
  }
  // The same number of a cell on every rank.
  KOKKOS_FORCEINLINE_FUNCTION u64 global(const CellAt& cell) const {
    if (isWhole()) return static_cast<u64>(cell.index);
    int at[3];
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = cell.of[axis] + first[axis];
      if (at[axis] >= cells[axis]) at[axis] -= cells[axis];
    }
    return (static_cast<u64>(at[2]) * static_cast<u32>(cells[1]) + static_cast<u32>(at[1])) *
               static_cast<u32>(cells[0]) +
           static_cast<u32>(at[0]);
  }
  KOKKOS_INLINE_FUNCTION u64 global(int index) const { return isWhole() ? static_cast<u64>(index) : global(at(index)); }
  KOKKOS_FORCEINLINE_FUNCTION bool isWhole() const {
    return span[0] == cells[0] && span[1] == cells[1] && span[2] == cells[2];
  }
  // Along an axis. The last brick takes what lies beyond the span, too.
  KOKKOS_FORCEINLINE_FUNCTION int brickAlong(int axis, u32 leading) const {
    const int brick = static_cast<int>(static_cast<u64>(local(axis, leading)) * perEdge[axis] >> 32);
    return brick < bricks[axis] ? brick : bricks[axis] - 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION int brickAt(const int (&at)[3]) const {
    return (at[2] * bricks[1] + at[1]) * bricks[0] + at[0];
  }
  KOKKOS_INLINE_FUNCTION int brickOf(u32 x, u32 y, u32 z) const {
    return brickAt({brickAlong(0, x), brickAlong(1, y), brickAlong(2, z)});
  }
};

// Where a brick's window lies for a shift: each of its sides has a margin of half a cell to one and a half. Cells of it
// are counted from its first one. A brick at the end of the span may be thinner, and so is its window then; where the
// period has fewer cells than the window, the last places stay empty.
struct BrickWindow {
  int origin[3];  // its first cell, counted from the span's first
  int first[3];   // the same, counted from the period's
  int width[3];   // cells that it has
  int pitch[2];   // of places: from y to y, from z to z
  int cells[3], span[3];

  KOKKOS_INLINE_FUNCTION BrickWindow(const BrickGrid& grid, int brick, const GridShift& shift) {
    const int at[3] = {brick % grid.bricks[0], brick / grid.bricks[0] % grid.bricks[1],
                       brick / (grid.bricks[0] * grid.bricks[1])};
    for (int axis = 0; axis < 3; ++axis) {
      cells[axis] = grid.cells[axis], span[axis] = grid.span[axis];
      origin[axis] = originOf(grid, axis, at[axis], shift);
      width[axis] = widthOf(grid, axis, at[axis]);
      first[axis] = origin[axis] + grid.first[axis];
      if (first[axis] >= cells[axis]) first[axis] -= cells[axis];
    }
    pitch[0] = grid.windowEdge(0), pitch[1] = grid.windowEdge(0) * grid.windowEdge(1);
  }
  KOKKOS_INLINE_FUNCTION static int originOf(const BrickGrid& grid, int axis, int brick, const GridShift& shift) {
    const int origin = brick * grid.edge[axis] - (shift.of[axis] < grid.halfCell[axis] ? 1 : 0);
    return origin < 0 ? origin + grid.cells[axis] : origin;
  }
  KOKKOS_INLINE_FUNCTION static int widthOf(const BrickGrid& grid, int axis, int brick) {
    const int left = grid.span[axis] - brick * grid.edge[axis];
    return windowMargin + (left < grid.edge[axis] ? left : grid.edge[axis]);
  }
  // The cell of leading bits, shifted: how many behind the first one.
  KOKKOS_FORCEINLINE_FUNCTION int behind(int axis, u32 leading) const {
    return cellBehindFirst(leading, cells[axis], first[axis]);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool within(const int (&in)[3]) const {
    return in[0] < width[0] && in[1] < width[1] && in[2] < width[2];
  }
  KOKKOS_FORCEINLINE_FUNCTION int placeOf(const int (&in)[3]) const {
    return in[2] * pitch[1] + in[1] * pitch[0] + in[0];
  }
  // As an index of the grid; -1: this rank does not have it, or it is there already, a period before.
  KOKKOS_FORCEINLINE_FUNCTION CellAt cellBehind(const int (&in)[3]) const {
    int at[3];
    bool has = true;
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = in[axis] + origin[axis];
      if (at[axis] >= cells[axis]) at[axis] -= cells[axis];
      has = has && in[axis] < cells[axis] && at[axis] < span[axis];
    }
    return {has ? (at[2] * span[1] + at[1]) * span[0] + at[0] : -1, {at[0], at[1], at[2]}};
  }
  KOKKOS_FORCEINLINE_FUNCTION CellAt cell(int place) const {
    const int z = place / pitch[1], rest = place - z * pitch[1], y = rest / pitch[0];
    const int in[3] = {rest - y * pitch[0], y, z};
    return within(in) ? cellBehind(in) : CellAt{-1, {}};
  }
  // Whether this rank has all cells of it.
  KOKKOS_INLINE_FUNCTION bool isWhole() const {
    bool whole = true;
    for (int axis = 0; axis < 3; ++axis)
      whole = whole && (span[axis] == cells[axis] || origin[axis] + width[axis] <= span[axis]);
    return whole;
  }
};

}  // namespace mesowarp
