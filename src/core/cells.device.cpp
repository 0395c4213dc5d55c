#include "core/cells.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.hpp"

namespace mesowarp {
namespace {

u64 spread(u64 v) {  // two zero bits between neighbouring bits, for 21-bit v
  v = (v | v << 32) & 0x1F00000000FFFFull;
  v = (v | v << 16) & 0x1F0000FF0000FFull;
  v = (v | v << 8) & 0x100F00F00F00F00Full;
  v = (v | v << 4) & 0x10C30C30C30C30C3ull;
  return (v | v << 2) & 0x1249249249249249ull;
}

// Rank of each cell (x fastest) when cells are ordered by their Morton code.
std::vector<int> mortonRanks(const std::array<int, 3>& dims) {
  const int cells = dims[0] * dims[1] * dims[2];
  std::vector<u64> code(cells);
  for (int c = 0; c < cells; ++c)
    code[c] = spread(c % dims[0]) | spread(c / dims[0] % dims[1]) << 1 | spread(c / (dims[0] * dims[1])) << 2;
  std::vector<int> order(cells), rank(cells);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return code[a] < code[b]; });
  for (int r = 0; r < cells; ++r) rank[order[r]] = r;
  return rank;
}

template <class View, class Vector>
void upload(View view, const Vector& values) {
  auto host = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(view, host);
}

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

}  // namespace

CellGrid::CellGrid(const Box& box, double reach) {
  for (int axis = 0; axis < 3; ++axis) {
    if (box.periodic[axis] && box.size[axis] < 2.0 * reach)
      throw InputError("the box edge " + std::to_string(box.size[axis]) + " is under twice cutoff + skin (" +
                       std::to_string(2.0 * reach) + "): enlarge box.size or lower neighbor.skin");
    dims_[axis] = std::clamp(static_cast<int>(std::floor(box.size[axis] / reach)), 1, 1 << 10);
    indexer_.count[axis] = dims_[axis];
    indexer_.perPeriod[axis] = box.periodic[axis] ? dims_[axis] : 2 * dims_[axis];
  }
  cells_ = dims_[0] * dims_[1] * dims_[2];
  rank_ = mortonRanks(dims_);
  DeviceArray<int> ranks("cell ranks", cells_);
  upload(ranks, rank_);
  indexer_.rankOfCell = ranks;
  start_ = DeviceArray<int>("cell start", cells_ + 1);
  buildStencils(box);
}

int CellGrid::keyBits() const {
  int bits = 6;
  while ((static_cast<i64>(cells_) << 6) > (i64{1} << bits)) ++bits;
  return bits;
}

void CellGrid::buildStencils(const Box& box) {
  std::vector<int> table(static_cast<std::size_t>(cells_) * maxStencil, 0), size(cells_);
  for (int c = 0; c < cells_; ++c) {
    const std::array<int, 3> at{c % dims_[0], c / dims_[0] % dims_[1], c / (dims_[0] * dims_[1])};
    std::vector<int> around;
    for (int offset = 0; offset < maxStencil; ++offset) {
      const std::array<int, 3> step{offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1};
      std::array<int, 3> cell{};
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = at[axis] + step[axis];
        if (box.periodic[axis]) cell[axis] = (cell[axis] + dims_[axis]) % dims_[axis];
        inside = inside && cell[axis] >= 0 && cell[axis] < dims_[axis];
      }
      if (inside) around.push_back(rank_[(cell[2] * dims_[1] + cell[1]) * dims_[0] + cell[0]]);
    }
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    size[rank_[c]] = static_cast<int>(around.size());
    std::copy(around.begin(), around.end(), table.begin() + static_cast<std::size_t>(rank_[c]) * maxStencil);
  }
  stencil_ = decltype(stencil_)("cell stencil", cells_);
  stencilSize_ = DeviceArray<int>("cell stencil size", cells_);
  upload(stencil_, table);
  upload(stencilSize_, size);
}

void CellGrid::findBoundaries(const DeviceArray<u32>& sortedKeys, int particles) {
  Kokkos::parallel_for("cell boundaries", Range(0, particles + 1),
                       MarkBoundaries{sortedKeys, start_, particles, cells_});
}

std::size_t CellGrid::bytes() const {
  return sizeof(int) * (static_cast<std::size_t>(cells_) * (maxStencil + 3) + 1);
}

}  // namespace mesowarp
