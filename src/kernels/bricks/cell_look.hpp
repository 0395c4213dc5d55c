// Once through some cells behind a pass, on the side stream, to look at their sums, which stay: body(cell, sums), as in
// cell_pass.hpp. On a GPU: through the cells of all parts of bricks that have border cells, but for those of
// body.none(): many times as fast as cell by cell (cell_pass_gpu.hpp).
#pragma once

#include "device/launch/peer_flags.hpp"
#include "device/side_stream.hpp"
#include "kernels/bricks/brick_sums.hpp"
#include "kernels/bricks/cell_parts.hpp"
#include "kernels/bricks/plain_sums.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/bricks/cell_pass_gpu.hpp"
#endif

namespace mesowarp::backend {

template <int Count, class Body>
struct LookAtCell {
  PlainSums<Count> sums;
  Body body;
  DeviceArray<int> cells;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    u64 of[Count];
    sums.read(cells(k), of);
    body(cells(k), of);
  }
};

// Whose sums lie in memory alone.
template <int Count, class Body>
void lookAtCells(const char* label, const SideStream& side, const DeviceArray<int>& cells, const PlainSums<Count>& sums,
                 const Body& body) {
  Kokkos::parallel_for(label, Range(side.instance(), 0, static_cast<int>(cells.extent(0))),
                       LookAtCell<Count, Body>{sums, body, cells});
}

// Of a pass that has added with this shift. cells: those of `parts` that are not inside. raise: by a kernel of blocks.
template <class Words, class Join, class Body>
void lookAtBorder(const char* label, const SideStream& side, const BrickGrid& grid, const GridShift& shift,
                  BrickSums<Words>& sums, const Join& join, const Body& body, const CellParts& parts,
                  const DeviceArray<int>& cells, const BrickFill& fill, const RaiseFlags& raise) {
#ifdef KOKKOS_ENABLE_CUDA
  (void)cells;
  using Pass = CellPass<Words, Join, Body, CellSums::stay>;
  const auto& pieces = parts.borderPieces();
  launchBlocks<Pass::threads, Pass::blocks>(
      label, static_cast<int>(pieces.extent(0)), Pass::threads, Pass::sharedBytes(grid),
      Pass{grid, shift, sums.store(), sums.data(), join, body, pieces.data(), fill, raise}, side.stream());
#else
  (void)grid, (void)shift, (void)join, (void)parts, (void)fill, (void)raise;
  lookAtCells(label, side, cells, sums.view(), body);
#endif
}

}  // namespace mesowarp::backend
