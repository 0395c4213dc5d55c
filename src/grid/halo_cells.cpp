#include "grid/halo_cells.hpp"

#include <algorithm>
#include <string>

#include "core/morton.hpp"
#include "device/host_copy.hpp"

namespace mesowarp {
namespace {

using Cell = std::array<int, 3>;

// The layer of cells of a domain that faces a way, in the order of their ranks.
std::vector<Cell> facingCells(const MortonRank& rank, int way) {
  Cell low, high;
  for (int axis = 0; axis < 3; ++axis) {
    const int step = direction::along(way, axis), last = rank.blocks[axis] - 1;
    low[axis] = step > 0 ? last : 0, high[axis] = step < 0 ? 0 : last;
  }
  std::vector<std::pair<int, Cell>> cells;
  for (int z = low[2]; z <= high[2]; ++z)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int x = low[0]; x <= high[0]; ++x) cells.push_back({rank({x, y, z}), {x, y, z}});
  std::sort(cells.begin(), cells.end());
  std::vector<Cell> sorted;
  for (const auto& [place, cell] : cells) sorted.push_back(cell);
  return sorted;
}

}  // namespace

HaloCells::HaloCells(const Domain& domain, const std::array<int, 3>& cells) {
  const MortonRank rank(cells, {1, 1, 1});
  const int own = rank.count();
  Cell pad, padded;
  for (int axis = 0; axis < 3; ++axis) pad[axis] = domain.cut(axis) ? 1 : 0, padded[axis] = cells[axis] + 2 * pad[axis];
  const auto place = [&](const Cell& c) {
    return ((c[2] + pad[2]) * padded[1] + c[1] + pad[1]) * padded[0] + c[0] + pad[0];
  };
  std::vector<int> ranks(static_cast<std::size_t>(padded[0]) * padded[1] * padded[2], -1), send;
  for (int z = 0; z < cells[2]; ++z)
    for (int y = 0; y < cells[1]; ++y)
      for (int x = 0; x < cells[0]; ++x) ranks[place({x, y, z})] = rank({x, y, z});
  int ghosts = 0;
  for (int way = 0; way < direction::count; ++way) {
    ghostFirst_[way] = ghosts, sendFirst_[way] = static_cast<int>(send.size());
    if (!domain.hasNeighbor(way)) continue;
    for (const Cell& cell : facingCells(rank, way)) send.push_back(rank({cell[0], cell[1], cell[2]}));
    // The neighbour's layer that faces back, seen from here.
    for (Cell cell : facingCells(rank, direction::opposite(way))) {
      for (int axis = 0; axis < 3; ++axis) cell[axis] += direction::along(way, axis) * cells[axis];
      ranks[place(cell)] = own + ghosts++;
    }
  }
  ghostFirst_[direction::count] = ghosts, sendFirst_[direction::count] = static_cast<int>(send.size());
  for (int& r : ranks)
    if (r < 0) r = own + ghosts;
  sendCells_ = toDevice<int>("cells to send", send);
  std::sort(send.begin(), send.end());
  send.erase(std::unique(send.begin(), send.end()), send.end());
  borderCells_ = toDevice<int>("cells at the border", send);
  std::vector<int> inner;
  for (int cell = 0; cell < own; ++cell)
    if (!std::binary_search(send.begin(), send.end(), cell)) inner.push_back(cell);
  innerCells_ = toDevice<int>("cells behind the border", inner);
  ranks_ = toDevice<int>("cell ranks, with ghosts", ranks);
}

}  // namespace mesowarp
