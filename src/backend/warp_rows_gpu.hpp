// The DPD paper's builder of neighbour rows on a GPU (section 3.3): expands the stencil, builds the rows warp by warp,
// joins core and skin entries, transposes the tiles.
#pragma once

#include <algorithm>
#include <cmath>

#include "backend/row_builder.hpp"
#include "backend/warp_rows_kernel_gpu.hpp"
#include "backend/warp_stencil_gpu.hpp"

namespace mesowarp::backend {

// Builds the rows of all particles. Keeps the fine stencil between builds.
class WarpRows {
 public:
  // Of the table, in blocks of 32 entries, if a row has room for so many.
  static i64 blocks(int particles, int row) { return RowTiles::regions(particles) * capacityOf(row); }

  // Once a build, before rows().
  void expand(const CellGrid& grid, int particles) { stencil_.expand(grid, particles); }

  // The longest row that did not fit, or 0: then the table is complete.
  template <class Coord>
  int rows(const RowInput<Coord>& in, const NeighborTable& table, int row, bool ballot) {
    const RowTiles tiles{table.entries.data(), capacityOf(row)};
    Kokkos::deep_copy(Execution(), overflow_, 0);
    if (ballot) {
      launch<true>(in, table, tiles);
    } else {
      launch<false>(in, table, tiles);
    }
    const int overflow = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), overflow_)(0);
    if (overflow == 0) joinAndTranspose(in.particles, table, tiles);
    return overflow;
  }

 private:
  static int capacityOf(int row) { return std::min((row + 31) / 32 * 32, RowPlace::mostEntries + 1); }

  template <bool Ballot, class Coord>
  void launch(const RowInput<Coord>& in, const NeighborTable& table, const RowTiles& tiles) const {
    bool general = in.exclusions.width > 0;
    WrapAxes wrap;
    for (int axis = 0; axis < 3; ++axis) {
      if (!in.grid.periodic()[axis] || in.grid.dims()[axis] >= 4) continue;
      general = true;
      wrap.period[axis] = static_cast<float>(in.box.size[axis]);
      wrap.inverse[axis] = static_cast<float>(1.0 / in.box.size[axis]);
    }
    if (general) {
      launch<Ballot, true>(in, table, tiles, wrap);
    } else {
      launch<Ballot, false>(in, table, tiles, wrap);
    }
  }

  template <bool Ballot, bool General, class Coord>
  void launch(const RowInput<Coord>& in, const NeighborTable& table, const RowTiles& tiles,
              const WrapAxes& wrap) const {
    using Rows = RowsOfCellByWarp<Coord, Ballot, General>;
    const int cells = in.grid.cells(), teams = (cells + Rows::warps - 1) / Rows::warps;
    Kokkos::parallel_for(
        Ballot ? "neighbor rows, ballot" : "neighbor rows, atomic",
        typename Rows::Policy(teams, 32 * Rows::warps).set_scratch_size(0, Kokkos::PerTeam(Rows::sharedBytes)),
        Rows{in.positions, in.grid.start(), stencil_.begin(), stencil_.particle(), in.exclusions, tiles, table.place,
             ticksOf<float, Coord>(in.box), wrap, reach2(in), in.cutoff2(), cells, overflow_});
  }

  // With room for rounding: an offset is within two cells and has 24 bits, after two roundings; a difference has the
  // errors of two offsets.
  template <class Coord>
  static float reach2(const RowInput<Coord>& in) {
    double cell2 = 0.0;
    for (int axis = 0; axis < 3; ++axis) cell2 += std::pow(in.grid.cellWidth(in.box, axis), 2);
    const double reach = in.reach + std::ldexp(std::sqrt(cell2), -21);
    return static_cast<float>(reach * reach * (1.0 + 1e-5));
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
