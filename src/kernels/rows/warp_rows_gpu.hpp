// The DPD paper's builder of neighbour rows on a GPU (section 3.3), a warp for a batch of a cell's particles
// (warp_cells_gpu.hpp). By ballot, in one kernel (ballot_rows_gpu.hpp); or by atomic increments, the paper's steps one
// by one:
//
//   1. fine stencil (warp_stencil_gpu.hpp): the particles of the cells around each cell;
//   2. rows (atomic_rows_gpu.hpp): core entries from the front, skin entries from the back;
//   3. join (row_tiles_gpu.hpp): the skin entries move up behind the core entries, in order;
//   4. transpose (row_tiles_gpu.hpp): entry k of neighbouring particles comes to lie in neighbouring words.
//
// In the latter every row has the same room, a multiple of 32: a row that does not fit makes the table grow, and step 2
// repeats.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "kernels/rows/atomic_rows_gpu.hpp"
#include "kernels/rows/ballot_rows_gpu.hpp"
#include "kernels/rows/row_input.hpp"
#include "kernels/rows/warp_stencil_gpu.hpp"

namespace mesowarp::backend {

// Builds the rows of all particles, with room for `row` entries each while they are built. Keeps the fine stencil
// between builds.
class WarpRows {
public:
  // Launches a build into a table with room for so many entries; `needs` will say whether there was room enough.
  template <class Coord>
  void rowsByBallot(const RowInput<Coord>& in, const NeighborTable& table, i64 tableEntries, int row,
                    const DeviceArray<RowNeeds>& needs, cudaStream_t stream) const {
    const int capacity = capacityOf(row);
    withWarpCells(in, [&](const auto& cells) {
      if (capacity > 128)
        launchBallot<std::uint16_t>(in, table, tableEntries, capacity, needs, cells, stream);
      else
        launchBallot<int>(in, table, tableEntries, capacity, needs, cells, stream);
    });
  }

  // By atomics: of the table, in blocks of 32 entries.
  static i64 blocks(int particles, int row) { return RowTiles::regions(particles) * capacityOf(row); }

  // Before a build by atomics.
  void expand(const CellGrid& grid, int particles) { stencil_.expand(grid, particles); }

  // The longest row that did not fit, or 0: then the table is complete. Waits for the device.
  template <class Coord>
  int rowsByAtomics(const RowInput<Coord>& in, const NeighborTable& table, int row) {
    const RowTiles tiles{table.entries.data(), capacityOf(row)};
    clearOn(Execution(), overflow_);
    withWarpCells(in, [&](const auto& cells) { launchAtomic(in, table, tiles, cells); });
    const int overflow = hostCopy(overflow_)(0);
    if (overflow == 0) joinAndTranspose(in.particles, table, tiles);
    return overflow;
  }

private:
  static int capacityOf(int row) { return std::min((row + 31) / 32 * 32, RowPlace::mostEntries + 1); }

  // launch(WarpCells), for one warp per cell.
  template <class Coord, class Launch>
  static void withWarpCells(const RowInput<Coord>& in, const Launch& launch) {
    bool general = in.exclusions.width > 0;
    WrapAxes wrap;
    for (int axis = 0; axis < 3; ++axis) {
      if (!in.grid.periodic()[axis] || in.grid.dims()[axis] >= 4) continue;
      general = true;
      wrap.period[axis] = static_cast<float>(in.box.size[axis]);
      wrap.inverse[axis] = static_cast<float>(1.0 / in.box.size[axis]);
    }
    general ? launch(warpCells<true>(in, wrap)) : launch(warpCells<false>(in, wrap));
  }
  template <bool General, class Coord>
  static WarpCells<Coord, General> warpCells(const RowInput<Coord>& in, const WrapAxes& wrap) {
    return {in.positions,
            in.grid.start(),
            in.exclusions,
            ticksOf<float, Coord>(in.box),
            wrap,
            outside2(in, in.reach),
            outside2(in, in.cutoff),
            in.grid.cells(),
            1,
            nullptr};
  }

  template <class Entry, class Coord, bool General>
  static void launchBallot(const RowInput<Coord>& in, const NeighborTable& table, i64 tableEntries, int capacity,
                           const DeviceArray<RowNeeds>& needs, WarpCells<Coord, General> cells, cudaStream_t stream) {
    using Rows = RowsByBallot<Coord, Entry, General>;
    const int batch = Rows::batchOf(capacity);
    cells.warpsPerCell = std::max(1, (in.particles / cells.cells + batch - 1) / batch);
    if (in.part != ListPart::all)
      cells.restrict(in.part == ListPart::inner ? in.grid.halo().innerCells() : in.grid.halo().borderCells());
    const Rows rows{cells, in.grid.stencil(), in.grid.stencilSize(), table, needs, tableEntries, capacity, batch};
    launchBlocks<32 * Rows::warps, 8>("neighbor rows, ballot", cells.teams(), 32 * Rows::warps, rows.sharedBytes(),
                                      rows, stream);
  }

  template <class Coord, bool General>
  void launchAtomic(const RowInput<Coord>& in, const NeighborTable& table, const RowTiles& tiles,
                    WarpCells<Coord, General> cells) const {
    using Rows = RowsByAtomics<Coord, General>;
    const int mean = in.particles / cells.cells;
    cells.warpsPerCell = mean < 2 * Rows::batch ? 1 : (mean + Rows::batch - 1) / Rows::batch;  // measured
    Kokkos::parallel_for("neighbor rows, atomic",
                         typename Rows::Policy(cells.teams(), 32 * Rows::warps)
                             .set_scratch_size(0, Kokkos::PerTeam(std::size_t{Rows::sharedBytes})),
                         Rows{cells, stencil_.begin(), stencil_.particle(), tiles, table.place, overflow_});
  }

  // Squared, with room for rounding: an offset is within two cells and has 24 bits, after two roundings; a difference
  // has the errors of two offsets. Of the cutoff, too: right after a build only core entries are looked at.
  template <class Coord>
  static float outside2(const RowInput<Coord>& in, double distance) {
    double cell2 = 0.0;
    for (int axis = 0; axis < 3; ++axis) cell2 += std::pow(in.grid.cellWidth(in.box, axis), 2);
    const double outside = distance + std::ldexp(std::sqrt(cell2), -21);
    return static_cast<float>(outside * outside * (1.0 + 1e-5));
  }

  static void joinAndTranspose(int particles, const NeighborTable& table, const RowTiles& tiles) {
    Kokkos::parallel_for("neighbor rows, join", Range(0, particles * JoinCoreAndSkin::threads),
                         JoinCoreAndSkin{tiles, table.place});
    const int teams =
        static_cast<int>(RowTiles::regions(particles)) * (tiles.capacity / static_cast<int>(RowTiles::edge));
    Kokkos::parallel_for("neighbor rows, transpose",
                         TransposeTiles::Policy(teams, TransposeTiles::threads)
                             .set_scratch_size(0, Kokkos::PerTeam(TransposeTiles::sharedBytes)),
                         TransposeTiles{tiles, table.place, particles});
  }

  FineStencil stencil_;
  DeviceArray<int> overflow_{"row overflow", 1};
};

}  // namespace mesowarp::backend
