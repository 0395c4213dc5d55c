#include "core/neighbor_list.hpp"

#include <cmath>

#include "backend/cell_rows.hpp"

namespace mesowarp {

NeighborList::NeighborList(int particles, double reach, double expected)
    : particles_(particles), regions_(backend::rowRegions(particles)), reach_(reach) {
  table_.size = DeviceArray<int>("neighbor count", particles);
  if (!backend::onGpu) table_.start = DeviceArray<i64>("neighbor start", particles);
  reserve(backend::firstRegionCapacity(particles, expected));
}

void NeighborList::reserve(i64 regionCapacity) {
  table_.regionCapacity = regionCapacity;
  table_.entries = DeviceArray<int>();  // free the old table first
  table_.entries = DeviceArray<int>(Kokkos::view_alloc("neighbors", Kokkos::WithoutInitializing),
                                    static_cast<std::size_t>(regions_) * regionCapacity);
}

template <class Coord>
void NeighborList::build(const Box& box, const CellGrid& grid, const DeviceArray<u32>& keys,
                         const DeviceArray<Vec3<Coord>>& positions, const Exclusions& exclusions) {
  // Distances are compared in single precision (DPD paper, section 3.4): a pair on the edge of the skin may be listed
  // or not, either is right; the margin keeps every pair that is within reach in exact arithmetic.
  const float reach2 = static_cast<float>(reach_ * reach_ * (1.0 + 1e-5));
  for (;;) {
    backend::CellRows<Coord> rows{positions, keys, grid.stencil(), grid.stencilSize(), grid.start(), exclusions, table_,
                                  ticksOf<float, Coord>(box), reach2};
    const i64 needed = backend::buildRows(rows, grid.cells(), regions_, particles_);
    if (needed <= table_.regionCapacity) return;
    reserve(needed + needed / 16 + backend::rowsPerRegion);
  }
}

std::size_t NeighborList::bytes() const {
  return (table_.entries.extent(0) + table_.size.extent(0)) * sizeof(int) + table_.start.extent(0) * sizeof(i64);
}

template void NeighborList::build<u32>(const Box&, const CellGrid&, const DeviceArray<u32>&,
                                       const DeviceArray<Vec3<u32>>&, const Exclusions&);
template void NeighborList::build<u64>(const Box&, const CellGrid&, const DeviceArray<u32>&,
                                       const DeviceArray<Vec3<u64>>&, const Exclusions&);

}  // namespace mesowarp
