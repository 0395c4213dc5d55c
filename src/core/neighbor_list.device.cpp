#include "core/neighbor_list.hpp"

#include <algorithm>
#include <cmath>

#include "backend/cell_rows.hpp"

namespace mesowarp {

NeighborList::NeighborList(int particles, double reach, double expected) : particles_(particles), reach_(reach) {
  table_.size = DeviceArray<int>("neighbor count", particles);
  reserve(static_cast<int>(expected + 4.5 * std::sqrt(expected) + 4.0));
}

void NeighborList::reserve(int capacity) {
  table_.capacity = (capacity + 3) / 4 * 4;
  constexpr int interleave = backend::interleave;
  const std::size_t rows = static_cast<std::size_t>((particles_ + interleave - 1) / interleave) * interleave;
  table_.entries = DeviceArray<int>();  // free the old table first
  table_.entries = DeviceArray<int>(Kokkos::view_alloc("neighbors", Kokkos::WithoutInitializing), rows * table_.capacity);
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
    const int longest = backend::buildRows(rows, grid.cells(), particles_);
    if (longest <= table_.capacity) return;
    reserve(longest + 4);
  }
}

template void NeighborList::build<u32>(const Box&, const CellGrid&, const DeviceArray<u32>&,
                                       const DeviceArray<Vec3<u32>>&, const Exclusions&);
template void NeighborList::build<u64>(const Box&, const CellGrid&, const DeviceArray<u32>&,
                                       const DeviceArray<Vec3<u64>>&, const Exclusions&);

}  // namespace mesowarp
