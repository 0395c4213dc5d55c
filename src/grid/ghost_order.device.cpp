#include "grid/ghost_order.hpp"

#include <string>
#include <vector>

#include "device/host_copy.hpp"

namespace mesowarp {
namespace {

using SharedInts = GhostOrder::SharedInts;

// The ghosts of one ghost cell, in turn: take(k, n), the k-th that came is its n-th.
struct GhostsOfCell {
  CellIndexer indexer;
  DeviceArray<int> paddedPlace;
  DeviceArray<u32> along;
  SharedInts start;  // as they came
  int own, flow, stride;

  template <class Take>
  KOKKOS_INLINE_FUNCTION int forEach(int cell, const Take& take) const {
    const int here = paddedPlace(cell);
    int n = 0;
    if (here < 0) {
      for (int k = start(cell); k < start(cell + 1); ++k) take(k, n++);
      return n;
    }
    const int cells = static_cast<int>(indexer.count[flow]);
    const int at = here / stride % cells,
              first = here - at * stride;  // the axis is not cut: it has no ghosts of its own
    for (int other = 0; other < cells; ++other) {
      const int from = indexer.rankOfPadded(first + other * stride) - own;
      const int begin = start(from), end = start(from + 1);
      // Those of a cell lie in two cells that follow each other: one look tells whether any can be here.
      if (begin == end || !near(static_cast<int>(indexer.subCell(along(begin), flow) >> 2), at, cells)) continue;
      for (int k = begin; k < end; ++k)
        if (static_cast<int>(indexer.subCell(along(k), flow) >> 2) == at) take(k, n++);
    }
    return n;
  }
  // Next to each other, or the same, around the box.
  KOKKOS_INLINE_FUNCTION static bool near(int a, int b, int cells) {
    const int d = a > b ? a - b : b - a;
    return d <= 1 || d >= cells - 1;
  }
};

struct Count {
  KOKKOS_INLINE_FUNCTION void operator()(int, int) const {}
};
struct Place {
  DeviceArray<int> place;
  int first;
  KOKKOS_INLINE_FUNCTION void operator()(int k, int n) const { place(k) = first + n; }
};

struct CountGhosts {
  GhostsOfCell ghosts;
  SharedInts counts;
  KOKKOS_INLINE_FUNCTION void operator()(int cell) const { counts(cell) = ghosts.forEach(cell, Count{}); }
};
struct PlaceGhosts {
  GhostsOfCell ghosts;
  SharedInts newStart;
  DeviceArray<int> place;
  KOKKOS_INLINE_FUNCTION void operator()(int cell) const { ghosts.forEach(cell, Place{place, newStart(cell)}); }
};

}  // namespace

GhostOrder::GhostOrder(const CellGrid& grid, const Domain& domain, int flow)
    : cells_(grid.halo().ghostCells()), own_(grid.cells()), flow_(flow), indexer_(grid.indexer()),
      counts_("starts of ghost cells", grid.halo().ghostCells() + 1) {
  const auto ranks = hostCopy(grid.halo().ranks());
  std::vector<int> places(static_cast<std::size_t>(cells_), -1);
  for (int p = 0; p < static_cast<int>(ranks.extent(0)); ++p) {
    const int ghost = ranks(p) - own_;
    if (ghost < 0 || ghost >= cells_) continue;
    int way = 0;
    while (grid.halo().firstGhost(way + 1) <= ghost) ++way;
    if (domain.imageFrom(way) != 0) places[static_cast<std::size_t>(ghost)] = p;
  }
  paddedPlace_ = toDevice<int>("places of ghost cells", places);
}

void GhostOrder::arrange(const Execution& stream, const DeviceArray<u32>& along, const SharedInts& start) {
  int stride = 1;
  for (int axis = 0; axis < flow_; ++axis) stride *= static_cast<int>(indexer_.count[axis]) + 2 * indexer_.pad[axis];
  const int ghosts = start(cells_);
  if (ghosts > static_cast<int>(place_.extent(0)))
    place_ = DeviceArray<int>(Kokkos::view_alloc("places of ghosts", Kokkos::WithoutInitializing), ghosts + ghosts / 8);
  const GhostsOfCell of{indexer_, paddedPlace_, along, start, own_, flow_, stride};
  Kokkos::parallel_for("count ghosts of cells", Range(stream, 0, cells_), CountGhosts{of, counts_});
  stream.fence();
  int sum = 0;
  for (int cell = 0; cell <= cells_; ++cell) {
    const int count = cell < cells_ ? counts_(cell) : 0;
    counts_(cell) = sum, sum += count;
  }
  Kokkos::parallel_for("place ghosts", Range(stream, 0, cells_), PlaceGhosts{of, counts_, place_});
  stream.fence();
  for (int cell = 0; cell <= cells_; ++cell) start(cell) = counts_(cell);
}

}  // namespace mesowarp
