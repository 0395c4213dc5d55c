#include "grid/cells.hpp"

#include <string>
#include <vector>

#include "core/cell_counts.hpp"
#include "core/error.hpp"
#include "core/morton.hpp"
#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"

namespace mesowarp {
namespace {

struct RankCells {
  MortonRank morton;
  DeviceArray<int> rank;
  KOKKOS_INLINE_FUNCTION void operator()(int cell) const { rank(cell) = morton(morton.block(cell)); }
};

// Coordinates and first cell of each group, by rank.
struct LayOutGroups {
  MortonRank groups, cells;
  std::array<int, 3> edge;
  DeviceArray<u32> at;
  DeviceArray<int> firstCell;
  KOKKOS_INLINE_FUNCTION void operator()(int group) const {
    const Vec3<int> g = groups.block(group);
    const int rank = groups(g);
    at(rank) = static_cast<u32>(g.x) | static_cast<u32>(g.y) << 10 | static_cast<u32>(g.z) << 20;
    firstCell(rank) = cells({g.x * edge[0], g.y * edge[1], g.z * edge[2]});
    if (group == 0) firstCell(groups.count()) = cells.count();
  }
};

// Ranks of the cells around a cell, itself included, ascending.
struct CollectStencil {
  MortonRank morton;
  std::array<bool, 3> periodic;  // wraps around, rather than being cut or walled
  CellIndexer indexer;
  int empty;  // rank of the cell that stands for those beyond walls
  Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory> stencil;
  DeviceArray<int> size;

  // Steps along an axis that lead to a cell of the box, each cell once.
  KOKKOS_INLINE_FUNCTION bool leads(int axis, int at, int step) const {
    const int to = at + step, dims = morton.blocks[axis], pad = indexer.pad[axis];
    if (!periodic[axis]) return to >= -pad && to < dims + pad;
    return dims >= 3 || step == 0 || (dims == 2 && step == 1);
  }
  KOKKOS_INLINE_FUNCTION int wrapped(int axis, int at) const {
    const int dims = morton.blocks[axis];
    return !periodic[axis] ? at : at < 0 ? at + dims : at >= dims ? at - dims : at;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int cell) const {
    const Vec3<int> at = morton.block(cell);
    const int row = indexer.rankOfCell(cell);
    int count = 0;
    for (int offset = 0; offset < maxStencil; ++offset) {
      const Vec3<int> step{offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1};
      if (!leads(0, at.x, step.x) || !leads(1, at.y, step.y) || !leads(2, at.z, step.z)) continue;
      const int around[3] = {wrapped(0, at.x + step.x), wrapped(1, at.y + step.y), wrapped(2, at.z + step.z)};
      const int rank = indexer.rankAround(around);
      if (rank != empty) insert(row, count++, rank);
    }
    size(row) = count;
  }
  KOKKOS_INLINE_FUNCTION void insert(int row, int count, int rank) const {
    int k = count;
    for (; k > 0 && stencil(row, k - 1) > rank; --k) stencil(row, k) = stencil(row, k - 1);
    stencil(row, k) = rank;
  }
};

}  // namespace

CellGrid::CellGrid(const Box& box, const std::array<double, 3>& reach, const Domain& whole) {
  Domain domain = whole;
  domain.periodic = box.periodic;
  std::array<double, 3> size = box.size;
  for (int axis = 0; axis < 3; ++axis) {
    if (domain.cut(axis)) size[axis] *= (1.0 - 1e-8) / domain.ranks[axis];  // parts differ by a tick
    if ((box.periodic[axis] || axis == domain.sheared) && box.size[axis] < 2.0 * reach[axis])
      throw InputError("the box edge " + std::to_string(box.size[axis]) + " is under twice (" +
                       std::to_string(2.0 * reach[axis]) +
                       ") what particles see, cutoff + skin or, on several ranks, what angles and dihedrals span: "
                       "enlarge box.size, or lower neighbor.skin or parallel.reach");
  }
  dims_ = cellsAlong(size, reach);
  for (int axis = 0; axis < 3; ++axis) {
    periodic_[axis] = box.periodic[axis] && !domain.cut(axis);
    indexer_.count[axis] = dims_[axis];
    indexer_.origin[axis] = static_cast<u32>(domain.low(axis));
    indexer_.scale[axis] = ((u64{4} * dims_[axis]) << 32) / domain.width(axis);
    indexer_.pad[axis] = domain.cut(axis) ? 1 : 0;
  }
  cells_ = dims_[0] * dims_[1] * dims_[2];
  const DeviceArray<int> ranks(Kokkos::view_alloc("cell ranks", Kokkos::WithoutInitializing), cells_);
  Kokkos::parallel_for("cell ranks", Range(0, cells_), RankCells{MortonRank(dims_, {1, 1, 1}), ranks});
  indexer_.rankOfCell = indexer_.rankOfPadded = ranks;
  if (!domain.whole()) {
    halo_ = HaloCells(domain, dims_);
    indexer_.rankOfPadded = halo_.ranks();
  }
  const int around = domain.whole() ? 0 : halo_.ghostCells() + 1;
  start_ = zeroedArray<int>("cell start", static_cast<std::size_t>(cells_) + around + 1);
}

int CellGrid::keyBits() const {
  int bits = 6;
  const i64 keys = static_cast<i64>(cells_ + (halo_.ghostCells() > 0 ? 1 : 0)) << 6;
  while (keys > (i64{1} << bits)) ++bits;
  return bits;
}

void CellGrid::buildStencils() const {
  stencil_ = decltype(stencil_)(Kokkos::view_alloc("cell stencil", Kokkos::WithoutInitializing), cells_);
  clearInParallel("cell stencil", stencil_.data(), stencil_.span() * sizeof(*stencil_.data()));
  stencilSize_ = zeroedArray<int>("cell stencil size", cells_);
  Kokkos::parallel_for("cell stencils", Range(0, cells_),
                       CollectStencil{MortonRank(dims_, {1, 1, 1}), periodic_, indexer_, cells_ + halo_.ghostCells(),
                                      stencil_, stencilSize_});
  Kokkos::fence();  // rows near ghosts are built by another stream than the one that was given this
}

const Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory>& CellGrid::stencil() const {
  if (stencil_.extent(0) == 0) buildStencils();
  return stencil_;
}

const DeviceArray<int>& CellGrid::stencilSize() const {
  stencil();
  return stencilSize_;
}

const CellGroups& CellGrid::groups(const std::array<int, 3>& edge) const {
  if (groups_.count > 0 && groups_.edge == edge) return groups_;
  const MortonRank groups(dims_, edge);
  const auto uncleared = [](const char* label) {
    return Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing);
  };
  const DeviceArray<u32> at(uncleared("cell groups"), groups.count());
  const DeviceArray<int> firstCell(uncleared("cell group first"), groups.count() + 1);
  Kokkos::parallel_for("cell groups", Range(0, groups.count()),
                       LayOutGroups{groups, MortonRank(dims_, {1, 1, 1}), edge, at, firstCell});
  groups_ = {edge, groups.count(), at, firstCell, {}, groups.count()};
  if (halo_.ghostCells() > 0) orderGroups();
  return groups_;
}

void CellGrid::orderGroups() const {
  const auto at = hostCopy(groups_.at);
  std::vector<int> order;
  for (const bool inner : {true, false}) {
    for (int group = 0; group < groups_.count; ++group) {
      bool near = false;
      for (int axis = 0; axis < 3; ++axis) {
        const int first = static_cast<int>(at(group) >> 10 * axis & 1023) * groups_.edge[axis];
        near = near || (indexer_.pad[axis] > 0 && (first == 0 || first + groups_.edge[axis] >= dims_[axis]));
      }
      if (near != inner) order.push_back(group);
    }
    if (inner) groups_.inner = static_cast<int>(order.size());
  }
  groups_.order = toDevice<int>("order of groups", order);
}

void CellGrid::findBoundaries(const DeviceArray<u32>& sortedKeys, int particles) {
  Kokkos::parallel_for("cell boundaries", Range(0, particles + 1), boundaries(sortedKeys, particles));
}

std::size_t CellGrid::bytes() const {
  std::size_t words =
      indexer_.rankOfCell.extent(0) + halo_.words() + start_.extent(0) + stencil_.size() + stencilSize_.extent(0);
  words += groups_.at.extent(0) + groups_.firstCell.extent(0);
  return sizeof(int) * words;
}

}  // namespace mesowarp
