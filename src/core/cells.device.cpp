#include "core/cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
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

// Cells (x fastest) in the order of their Morton codes.
std::vector<int> mortonOrder(const std::array<int, 3>& dims) {
  const int cells = dims[0] * dims[1] * dims[2];
  std::vector<std::pair<u64, int>> code(cells);
  for (int c = 0; c < cells; ++c)
    code[c] = {spread(c % dims[0]) | spread(c / dims[0] % dims[1]) << 1 | spread(c / (dims[0] * dims[1])) << 2, c};
  std::sort(code.begin(), code.end());
  std::vector<int> order(cells);
  for (int r = 0; r < cells; ++r) order[r] = code[r].second;
  return order;
}

template <class View, class Vector>
void upload(View view, const Vector& values) {
  auto host = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(view, host);
}

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
  periodic_ = box.periodic;
  const std::vector<int> order = mortonOrder(dims_);
  rank_.resize(order.size());
  for (int r = 0; r < cells_; ++r) rank_[order[r]] = r;
  DeviceArray<int> ranks("cell ranks", cells_);
  upload(ranks, rank_);
  indexer_.rankOfCell = ranks;
  start_ = DeviceArray<int>("cell start", cells_ + 1);
}

int CellGrid::keyBits() const {
  int bits = 6;
  while ((static_cast<i64>(cells_) << 6) > (i64{1} << bits)) ++bits;
  return bits;
}

void CellGrid::buildStencils() const {
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
        if (periodic_[axis]) cell[axis] = (cell[axis] + dims_[axis]) % dims_[axis];
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
  std::vector<std::pair<int, u32>> found;  // first cell, coordinates
  for (int z = 0; z * edge[2] < dims_[2]; ++z)
    for (int y = 0; y * edge[1] < dims_[1]; ++y)
      for (int x = 0; x * edge[0] < dims_[0]; ++x)
        found.emplace_back(rank_[(z * edge[2] * dims_[1] + y * edge[1]) * dims_[0] + x * edge[0]],
                           static_cast<u32>(x) | static_cast<u32>(y) << 10 | static_cast<u32>(z) << 20);
  std::sort(found.begin(), found.end());
  std::vector<u32> at;
  std::vector<int> first;
  for (const auto& [cell, coordinates] : found) first.push_back(cell), at.push_back(coordinates);
  first.push_back(cells_);
  DeviceArray<u32> deviceAt("cell groups", at.size());
  DeviceArray<int> deviceFirst("cell group first", first.size());
  upload(deviceAt, at);
  upload(deviceFirst, first);
  groups_ = {edge, static_cast<int>(at.size()), deviceAt, deviceFirst};
  return groups_;
}

void CellGrid::findBoundaries(const DeviceArray<u32>& sortedKeys, int particles) {
  Kokkos::parallel_for("cell boundaries", Range(0, particles + 1), boundaries(sortedKeys, particles));
}

std::size_t CellGrid::bytes() const {
  std::size_t words = indexer_.rankOfCell.extent(0) + start_.extent(0) + stencil_.size() + stencilSize_.extent(0);
  words += groups_.at.extent(0) + groups_.firstCell.extent(0);
  return sizeof(int) * words;
}

}  // namespace mesowarp
