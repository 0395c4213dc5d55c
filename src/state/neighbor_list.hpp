// The neighbour list of a population's particles (kernels/rows/neighbor_table.hpp) and who builds it.
#pragma once

#include <memory>
#include <utility>

#include "grid/cells.hpp"
#include "kernels/rows/neighbor_table.hpp"

namespace mesowarp {

namespace backend {
class RowBuilder;
class SideStream;
}  // namespace backend

class NeighborList {
public:
  // cutoff: the largest; reach = cutoff + skin, length. particles: of rows; like `expected`, the neighbours of a
  // particle, a first guess of the capacity.
  NeighborList(int particles, double cutoff, double reach, double expected, RowBuild style = RowBuild::groups);
  ~NeighborList();

  // Builds the rows of the first `particles` particles from positions sorted by cell and their sort keys; behind them
  // follow ghosts, up to number `stored`, which have no rows. On a GPU this does not wait: until complete() has said
  // true, kernels that walk the rows may find them missing, and then do nothing. With a side stream in two parts: what
  // it is given after the inner one comes after what the main stream had been given before; what the main stream is
  // given after the border comes after both.
  template <class Coord>
  void build(const Box& box, const CellGrid& grid, const DeviceArray<u32>& keys,
             const DeviceArray<Vec3<Coord>>& positions, int particles, int stored, const Exclusions& exclusions,
             ListPart part = ListPart::all, backend::SideStream* side = nullptr);

  void setReach(double reach) { reach_ = reach; }  // of the next build

  // Whether builds wait for the device, as far as the last one tells.
  bool waits() const { return table_.incomplete == nullptr; }

  // Waits for the last build. False: it ran out of room; the table has grown, build again.
  bool complete();

  const NeighborTable& table() const { return table_; }
  std::size_t bytes() const { return table_.bytes(); }
  // The table's memory, for other use until the next build; what it holds is lost.
  std::pair<void*, std::size_t> spareMemory() const {
    return {table_.entries.data(), table_.entries.extent(0) * sizeof(int)};
  }

private:
  double cutoff_, reach_;
  NeighborTable table_;
  std::unique_ptr<backend::RowBuilder> builder_;
};

}  // namespace mesowarp
