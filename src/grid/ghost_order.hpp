// Ghosts beyond the faces of a sheared box: they come cell by cell as the neighbour stores them, moved along the flow
// by anything, so each cell's lie in two cells of this grid. Here is which ghost goes where, that they lie by cell
// again: for each ghost cell, by a thread, the ghosts of the neighbour's cells that reach into it, in their order. The
// flow is never cut among ranks, so ghosts stay among those that came the same way.
#pragma once

#include "device/config.hpp"
#include "grid/cells.hpp"

namespace mesowarp {

class GhostOrder {
public:
  using SharedInts = Kokkos::View<int*, backend::SharedSpace>;

  GhostOrder() = default;
  // Of the domains and cells of this grid; flow: axis.
  GhostOrder(const CellGrid& grid, const Domain& domain, int flow);

  bool any() const { return cells_ > 0; }
  // along: of the ghosts as they came, the leading 32 bits of the coordinate along the flow, of their images. start: of
  // the neighbours' cells, the first ghost, and how many there are; becomes that of this grid's ghost cells. Waits for
  // the stream.
  void arrange(const Execution& stream, const DeviceArray<u32>& along, const SharedInts& start);
  // place(k): where the k-th ghost that came is stored, from 0.
  const DeviceArray<int>& place() const { return place_; }

private:
  int cells_ = 0, own_ = 0, flow_ = 0;  // ghost cells; cells of the domain
  CellIndexer indexer_;
  DeviceArray<int> paddedPlace_;  // of each ghost cell: where it is in indexer_.rankOfPadded; -1: it stays as it came
  DeviceArray<int> place_;
  SharedInts counts_;
};

}  // namespace mesowarp
