#pragma once

#include "device/launch/peer_flags.hpp"
#include "kernels/bricks/brick_sums.hpp"
#include "kernels/bricks/cell_body.hpp"

namespace mesowarp::backend {

template <class Words, class Join, class Body>
void runCellPass(const char* label, const BrickGrid& grid, const GridShift& /*shift*/, const SumsInMemory<Words>& sums,
                 const Join& /*join*/, const Body& body, const CellParts& parts, CellPart part,
                 const BrickFill& /*fill*/, const AwaitFlags& /*signals*/ = {}) {
  Kokkos::parallel_for(label, Range(0, grid.cellsInAll()),
                       BodyOfCell<Words::sums, Body>{{sums.data()}, body, grid, parts.inner(), part});
}

}  // namespace mesowarp::backend
