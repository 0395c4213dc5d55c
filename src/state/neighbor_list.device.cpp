#include "state/neighbor_list.hpp"

#include "kernels/rows/row_builder.hpp"

namespace mesowarp {

NeighborList::NeighborList(int particles, double cutoff, double reach, double expected, RowBuild style)
    : cutoff_(cutoff), reach_(reach),
      builder_(std::make_unique<backend::RowBuilder>(particles, expected, style, table_)) {}
NeighborList::~NeighborList() = default;

template <class Coord>
void NeighborList::build(const Box& box, const CellGrid& grid, const DeviceArray<u32>& keys,
                         const DeviceArray<Vec3<Coord>>& positions, int particles, int stored,
                         const Exclusions& exclusions, ListPart part, backend::SideStream* side) {
  builder_->build(
      backend::RowInput<Coord>{box, grid, keys, positions, particles, stored, exclusions, cutoff_, reach_, part, side},
      table_);
}

bool NeighborList::complete() { return builder_->complete(table_); }

template void NeighborList::build<u32>(const Box&, const CellGrid&, const DeviceArray<u32>&,
                                       const DeviceArray<Vec3<u32>>&, int, int, const Exclusions&, ListPart,
                                       backend::SideStream*);
template void NeighborList::build<u64>(const Box&, const CellGrid&, const DeviceArray<u32>&,
                                       const DeviceArray<Vec3<u64>>&, int, int, const Exclusions&, ListPart,
                                       backend::SideStream*);

}  // namespace mesowarp
