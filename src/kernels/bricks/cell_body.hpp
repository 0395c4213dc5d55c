// Once through cells whose sums lie in memory alone: what a pass over cells runs for each.
#pragma once

#include "kernels/bricks/cell_parts.hpp"
#include "kernels/bricks/plain_sums.hpp"

namespace mesowarp::backend {

template <int Sums, class Body>
struct BodyOfCell {
  PlainSums<Sums> sums;
  Body body;
  BrickGrid grid{};
  InnerCells inner{};
  CellPart part = CellPart::all;
  KOKKOS_INLINE_FUNCTION void operator()(int cell) const {
    if (part != CellPart::all && inner.has(grid, cell) != (part == CellPart::inner)) return;
    u64 own[Sums];
    sums.take(cell, own);
    body(cell, own);
  }
};

}  // namespace mesowarp::backend
