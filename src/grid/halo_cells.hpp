// Ghost cells around a domain, and the cells at its border that neighbours see as theirs. Each rank has a grid of its
// own domain, and around it, where the axis is cut, a layer of ghost cells.
//
// All domains are cut alike, so a ghost cell is one whole cell of a neighbour. A rank's own cells come first, along the
// Morton curve. Ghost cells follow, direction by direction (26 of them) and, within one, as the neighbour stores its
// cells. So particles lie as [own, by cell | ghosts, by cell]; what a neighbour sends, border cell after border cell,
// arrives in the order in which it is to be stored; and a list of the cells' counts says all that is left to say.
// Builders of rows see more cells, and build rows of own particles alone.
#pragma once

#include <array>

#include "core/domain.hpp"

namespace mesowarp {

class HaloCells {
public:
  HaloCells() = default;
  // cells: along each axis of the domain.
  HaloCells(const Domain& domain, const std::array<int, 3>& cells);

  int ghostCells() const { return ghostFirst_[direction::count]; }
  // Ghost cells from that way: numbers firstGhost(way) to firstGhost(way + 1) - 1, ranks as many behind the domain's
  // cells.
  int firstGhost(int way) const { return ghostFirst_[way]; }
  // Entries of sendCells() for the neighbour that way.
  int firstSend(int way) const { return sendFirst_[way]; }
  int sendCount() const { return sendFirst_[direction::count]; }
  // Ranks of the border cells to send, way by way.
  const DeviceArray<int>& sendCells() const { return sendCells_; }
  // Ranks of the cells that ghosts may be within reach of, each once, and of the domain's other cells.
  const DeviceArray<int>& borderCells() const { return borderCells_; }
  const DeviceArray<int>& innerCells() const { return innerCells_; }
  // Ranks of the domain's cells and the ghost cells, x fastest; those with neither get the rank behind all others.
  const DeviceArray<int>& ranks() const { return ranks_; }
  std::size_t words() const {
    return sendCells_.extent(0) + borderCells_.extent(0) + innerCells_.extent(0) + ranks_.extent(0);
  }

private:
  std::array<int, direction::count + 1> ghostFirst_{}, sendFirst_{};
  DeviceArray<int> sendCells_, borderCells_, innerCells_, ranks_;
};

}  // namespace mesowarp
