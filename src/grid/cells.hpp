// Cells no smaller than cutoff + skin, numbered along a Morton (Z) curve; particles are sorted by cell and, within a
// cell, by a second Morton curve of 4 x 4 x 4 sub-cells (DPD paper, section 3.2.2), so a cell is a run of particles.
// Where cells have fewer than 16 particles the sub-cells are left out.
#pragma once

#include <array>

#include "core/box.hpp"
#include "core/domain.hpp"
#include "core/types.hpp"
#include "grid/halo_cells.hpp"

namespace mesowarp {

// What kernels need: cell and sort key of a coordinate.
struct CellIndexer {
  std::array<u32, 3> count;                       // cells along the domain
  std::array<u32, 3> origin;                      // of the domain, leading 32 bits
  std::array<u64, 3> scale;                       // sub-cells per tick of these, times 2^32
  std::array<int, 3> pad;                         // layers of ghost cells at either side: 1 where the axis is cut
  Kokkos::View<const int*, Memory> rankOfCell;    // of the domain's cells, x fastest -> rank along the curve
  Kokkos::View<const int*, Memory> rankOfPadded;  // the same with the layers of ghost cells around

  // Cell along an axis, times 4 (its sub-cells), from the leading 32 bits of a coordinate in the domain.
  KOKKOS_INLINE_FUNCTION u32 subCell(u32 coordinate, int axis) const {
    const u32 sub = static_cast<u32>((static_cast<u64>(coordinate - origin[axis]) * scale[axis]) >> 32);
    const u32 last = 4u * count[axis] - 1;
    return sub < last ? sub : last;
  }
  // The middle between the lower sides of cell `corner` and cell `corner + edge`, leading 32 bits.
  KOKKOS_INLINE_FUNCTION u32 middle(int corner, int edge, int axis) const {
    return origin[axis] + static_cast<u32>((static_cast<u64>(2 * corner + edge) << 33) / scale[axis]);
  }
  // Rank of a cell that may be a ghost: cell[axis] from -pad to count + pad - 1.
  KOKKOS_INLINE_FUNCTION int rankAround(const int (&cell)[3]) const {
    const int x = cell[0] + pad[0], y = cell[1] + pad[1], z = cell[2] + pad[2];
    return rankOfPadded(
        (z * (static_cast<int>(count[1]) + 2 * pad[1]) + y) * (static_cast<int>(count[0]) + 2 * pad[0]) + x);
  }
  // Sort key: rank of the cell, then the 6 bits of the sub-cell's Morton code.
  KOKKOS_INLINE_FUNCTION u32 key(u32 x, u32 y, u32 z) const {
    const u32 sx = subCell(x, 0), sy = subCell(y, 1), sz = subCell(z, 2);
    const u32 cell = ((sz >> 2) * count[1] + (sy >> 2)) * count[0] + (sx >> 2);
    const u32 local = (sx & 1) | (sy & 1) << 1 | (sz & 1) << 2 | (sx & 2) << 2 | (sy & 2) << 3 | (sz & 2) << 4;
    return static_cast<u32>(rankOfCell(cell)) << 6 | local;
  }
};

constexpr int maxStencil = 27;

// Aligned blocks of cells, such as 4 x 4 x 2, that follow each other along the Morton curve, so that a group's
// particles are one run. Groups at the end of an axis may be cut off.
struct CellGroups {
  std::array<int, 3> edge{};
  int count = 0;
  Kokkos::View<const u32*, Memory> at;         // coordinates in groups, 10 bits for each axis
  Kokkos::View<const int*, Memory> firstCell;  // by rank; [count + 1]
  // Where there are ghosts: those that none is near first, `inner` of them, then the others; empty: as they are.
  Kokkos::View<const int*, Memory> order;
  int inner = 0;

  KOKKOS_FORCEINLINE_FUNCTION int number(int k) const { return order.data() ? order(k) : k; }
};

// Cell boundaries from sorted keys (DPD paper, section 3.2.3): thread i, of particles + 1, compares its cell with that
// of the particle before it.
struct MarkBoundaries {
  DeviceArray<u32> keys;
  DeviceArray<int> start;
  int particles, cells;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const int before = i == 0 ? -1 : static_cast<int>(keys(i - 1) >> 6);
    const int here = i == particles ? cells : static_cast<int>(keys(i) >> 6);
    for (int c = before + 1; c <= here; ++c) start(c) = i;
  }
};

// A kernel for the particles of some cells alone; one thread for each cell.
template <class Kernel>
struct OfCells {
  Kernel kernel;
  DeviceArray<int> cells, start;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    for (int i = start(cells(k)); i < start(cells(k) + 1); ++i) kernel(i);
  }
};

// The cells of a rank's domain, and around them, where the domain is cut out of the box, a layer of ghost cells. Ghost
// cells rank after the others, direction by direction (HaloCells); the last rank of all is a cell that stays empty,
// which stands for those beyond walls.
class CellGrid {
public:
  // reach: along each axis, length. Throws InputError if the nearest image is not unique (box edge under 2 reach).
  CellGrid(const Box& box, const std::array<double, 3>& reach, const Domain& domain = {});
  CellGrid(const Box& box, double reach, const Domain& domain = {}) : CellGrid(box, {reach, reach, reach}, domain) {}

  int cells() const { return cells_; }  // without ghosts
  // Of particles that are in none of them: sorts behind all.
  u32 keyOutside() const { return static_cast<u32>(cells_) << 6; }
  const HaloCells& halo() const { return halo_; }
  int keyBits() const;
  // Bits of a key below this are not worth sorting by: with few particles per cell, their order within it changes
  // nothing.
  int firstKeyBit(int particles) const { return particles / cells_ < 16 ? 6 : 0; }
  const CellIndexer& indexer() const { return indexer_; }
  // Ranks of the cells around each cell, itself included, ascending: [cell rank][maxStencil], and how many. Made when
  // first asked for.
  const Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory>& stencil() const;
  const DeviceArray<int>& stencilSize() const;
  // edge: powers of two, x >= y >= z, z at least half of x. Made when first asked for.
  const CellGroups& groups(const std::array<int, 3>& edge) const;
  // Length of a cell along an axis.
  double cellWidth(const Box& box, int axis) const {
    return 4.0 * 4294967296.0 / static_cast<double>(indexer_.scale[axis]) * box.tick(axis, 32);
  }
  const std::array<int, 3>& dims() const { return dims_; }
  const std::array<bool, 3>& periodic() const { return periodic_; }
  // First particle of each cell, by rank; [cells + 1], and where there are ghosts [cells + ghost cells + 2].
  const DeviceArray<int>& start() const { return start_; }
  // Fills start() from sorted keys by detecting where the cell changes.
  void findBoundaries(const DeviceArray<u32>& sortedKeys, int particles);
  MarkBoundaries boundaries(const DeviceArray<u32>& sortedKeys, int particles) const {
    return {sortedKeys, start_, particles, cells_};
  }
  std::size_t bytes() const;

private:
  void buildStencils() const;
  void orderGroups() const;
  int cells_ = 0;
  CellIndexer indexer_;
  HaloCells halo_;
  std::array<int, 3> dims_{};
  std::array<bool, 3> periodic_{};
  DeviceArray<int> start_;
  mutable Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory> stencil_;
  mutable DeviceArray<int> stencilSize_;
  mutable CellGroups groups_;
};

}  // namespace mesowarp
