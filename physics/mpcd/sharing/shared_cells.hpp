// Cells that neighbours have, too: a box of them each way, in which both ranks count them in the same order. What they
// send of them, and what comes, are rows of sums in that order, way by way.
#pragma once

#include "core/direction.hpp"
#include "kernels/bricks/cell_parts.hpp"
#include "kernels/bricks/quotient.hpp"
#include "physics/mpcd/sharing/sum_rows.hpp"

namespace mesowarp::mpcd {

struct SharedBox {
  int low[3], size[3];  // in cells of the span
  int first;            // row of its first cell
  int way;
  InnerCells
      theirs;  // cells of the neighbour's domain: of those it sends the sums each time, of others if there are any
};

// In a kernel's arguments, which all threads read at once: most cells are in no box, and must find that out fast.
struct SharedCells {
  SharedBox boxes[direction::count - 1];
  int number = 0;         // of them
  InnerCells inner;       // in no box
  InnerCells own;         // of the rank's domain
  int row = 1, rows = 1;  // cells of the span along x; along y
  Quotient byRow = Quotient::by(1), byRows = Quotient::by(1);

  KOKKOS_FORCEINLINE_FUNCTION static CellAt at(const CellAt& cell) { return cell; }
  KOKKOS_FORCEINLINE_FUNCTION CellAt at(int cell) const {
    const int line = byRow.of(cell), level = byRows.of(line);
    return {cell, {cell - line * row, line - level * rows, level}};
  }
  // The row of a cell that a box has; -1: it has not.
  KOKKOS_FORCEINLINE_FUNCTION static int rowOf(const SharedBox& box, const CellAt& at) {
    int in[3];
    for (int axis = 0; axis < 3; ++axis) {
      in[axis] = at.of[axis] - box.low[axis];
      if (in[axis] < 0 || in[axis] >= box.size[axis]) return -1;
    }
    return box.first + (in[2] * box.size[1] + in[1]) * box.size[0] + in[0];
  }
};

// What neighbours have of a cell's sums. A cell may be in several boxes: integers, so the order of additions cannot
// matter.
template <class Row>
struct ComeSums {
  Row form{};
  RowColumns<Row::words> rows{};  // none: nothing comes
  bool clears = false;            // behind it, rows that may stay away the next time are zero

  // Cell: its number, or CellAt. wanted: else only what has to be done for the next time.
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION void addTo(const SharedCells& shared, const Cell& cell, u64 (&to)[Row::sums],
                                         bool wanted = true) const {
    if (!rows.any()) return;
    const auto at = shared.at(cell);
    if (shared.inner.has(at.of)) return;
    for (int b = 0; b < shared.number; ++b) {
      const int row = SharedCells::rowOf(shared.boxes[b], at);
      if (row < 0) continue;
      const bool mayStayAway = clears && !shared.boxes[b].theirs.has(at.of);
      if (!wanted && !mayStayAway) continue;
      u32 word[Row::words];
      const bool any = rows.load(row, word);
      form.addTo(to, word);
      if (mayStayAway && any) rows.clear(row);
    }
  }
};

}  // namespace mesowarp::mpcd
