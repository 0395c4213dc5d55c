// What a builder reads and writes that walks the cells around a cell: cell_rows_cpu.hpp, simple_rows_gpu.hpp.
#pragma once

#include "core/box.hpp"
#include "grid/cells.hpp"
#include "kernels/rows/neighbor_table.hpp"

namespace mesowarp::backend {

template <class Coord>
struct CellRows {
  DeviceArray<Vec3<Coord>> positions;
  DeviceArray<u32> keys;
  Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory> stencil;
  DeviceArray<int> stencilSize, start;
  Exclusions exclusions;
  NeighborTable table;
  Ticks<float> tick;
  float reach2;
};

}  // namespace mesowarp::backend
