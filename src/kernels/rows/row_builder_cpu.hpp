// Rows on a CPU: each thread builds those of a run of cells into a region of its own, without gaps.
#pragma once

#include <algorithm>

#include "device/memory/zeroed.hpp"
#include "kernels/rows/cell_rows_cpu.hpp"
#include "kernels/rows/row_input.hpp"

namespace mesowarp::backend {

// Touches a thread's region of the table, one word of each page, before anybody borrows the memory for something else.
struct TouchRegion {
  static constexpr i64 page = 4096 / sizeof(int);
  int* entries;
  i64 capacity;
  void operator()(int region) const {
    for (i64 k = 0; k < capacity; k += page) entries[region * capacity + k] = 0;
  }
};

class RowBuilder {
public:
  RowBuilder(int particles, double expected, RowBuild, NeighborTable& table)
      : regions_(std::max(1, Execution().concurrency())) {
    reserveRows(table, particles);
    reserve(table, static_cast<i64>(expected * 1.04 * particles / regions_) + 1024);
  }

  template <class Coord>
  void build(const RowInput<Coord>& in, NeighborTable& table) {
    if (in.part == ListPart::inner) return;
    if (static_cast<std::size_t>(in.particles) > table.size.extent(0))
      reserveRows(table, in.particles + in.particles / 16);
    for (;;) {
      const CellRows<Coord> rows{in.positions,
                                 in.keys,
                                 in.grid.stencil(),
                                 in.grid.stencilSize(),
                                 in.grid.start(),
                                 in.exclusions,
                                 table,
                                 ticksOf<float, Coord>(in.box),
                                 in.reach2()};
      i64 needed = 0;
      Kokkos::parallel_reduce("neighbor rows", Range(0, regions_),
                              RowsOfCells<Coord>(rows, in.grid.cells(), regions_, in.stored), Kokkos::Max<i64>(needed));
      if (needed <= table.regionCapacity) return;
      reserve(table, needed + needed / 16);
    }
  }

  bool complete(NeighborTable&) const { return true; }

private:
  static void reserveRows(NeighborTable& table, int particles) {
    table.size = zeroedArray<int>("neighbor count", particles);
    table.start = zeroedArray<i64>("neighbor start", particles);
  }
  void reserve(NeighborTable& table, i64 regionCapacity) const {
    table.regionCapacity = regionCapacity;
    table.entries = DeviceArray<int>();  // free the old table first
    table.entries = DeviceArray<int>(Kokkos::view_alloc("neighbors", Kokkos::WithoutInitializing),
                                     static_cast<std::size_t>(regions_) * regionCapacity);
    Kokkos::parallel_for("touch neighbors", Range(0, regions_), TouchRegion{table.entries.data(), regionCapacity});
  }
  int regions_;
};

}  // namespace mesowarp::backend
