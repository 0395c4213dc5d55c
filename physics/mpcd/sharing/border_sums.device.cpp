#include "physics/mpcd/sharing/border_sums.hpp"

#include <algorithm>
#include <cmath>

#include "device/host_copy.hpp"

namespace mesowarp::mpcd {
namespace {

int floorOf(u64 edge, int cells) { return static_cast<int>(edge * static_cast<u64>(cells) >> 32); }

// Of a part along an axis: its first cell, margin included, and behind its last one; may lie beyond the box.
std::array<int, 2> cellsOf(const Domain& domain, int axis, int part, int cells, int margin) {
  const int low = floorOf(domain.edge(axis, part), cells);
  const u64 behind = domain.edge(axis, part + 1) * static_cast<u64>(cells);
  const int high = static_cast<int>((behind - 1) >> 32);  // that the last tick is in
  return {low - margin, high + margin + 2};
}

// Number of the span's first cell along an axis that is cut; may lie beyond the box.
int firstOf(const Domain& domain, const BrickGrid& grid, int axis) {
  return floorOf(domain.edge(axis, domain.at[static_cast<std::size_t>(axis)]), grid.cells[axis]) - grid.before[axis];
}

// Each once.
std::vector<int> cellsInAny(const std::vector<SharedBox>& boxes, const BrickGrid& grid) {
  std::vector<int> cells;
  for (const SharedBox& box : boxes)
    for (int z = box.low[2]; z < box.low[2] + box.size[2]; ++z)
      for (int y = box.low[1]; y < box.low[1] + box.size[1]; ++y)
        for (int x = box.low[0]; x < box.low[0] + box.size[0]; ++x)
          cells.push_back((z * grid.span[1] + y) * grid.span[0] + x);
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

}  // namespace

BrickGrid spanOf(const Domain& domain, const std::array<int, 3>& cells, int margin) {
  BrickGrid grid;
  for (int axis = 0; axis < 3; ++axis) {
    grid.cells[axis] = grid.span[axis] = grid.own[axis] = cells[static_cast<std::size_t>(axis)];
    grid.halfCell[axis] = static_cast<u32>((u64{1} << 31) / static_cast<u64>(grid.cells[axis]));
    if (domain.cut(axis)) {
      const auto [low, end] =
          cellsOf(domain, axis, domain.at[static_cast<std::size_t>(axis)], grid.cells[axis], margin);
      grid.first[axis] = (low + grid.cells[axis]) % grid.cells[axis];
      grid.span[axis] = end - low;
      grid.before[axis] = margin, grid.own[axis] = end - low - 2 * margin - 1;
    }
  }
  grid.cutInto(grid.edge[0], grid.edge[1], grid.edge[2]);
  return grid;
}

// A particle at x, counted in cells from the span's first one, is in cell floor(x + shift).
Reach reachAround(const Domain& domain, const BrickGrid& grid, const GridShift& shift, double distance) {
  Reach reach;
  for (int axis = 0; axis < 3; ++axis) {
    reach.cells.high[axis] = grid.span[axis];
    if (!domain.cut(axis)) continue;
    const int part = domain.at[static_cast<std::size_t>(axis)];
    const auto edge = [&](int of) { return static_cast<double>(domain.edge(axis, of)) * 0x1p-32 * grid.cells[axis]; };
    const double shifted = shift.of[axis] * 0x1p-32 * grid.cells[axis] - firstOf(domain, grid, axis);
    reach.cells.low[axis] = static_cast<int>(std::ceil(edge(part) - distance + shifted));
    reach.cells.high[axis] = static_cast<int>(std::floor(edge(part + 1) + distance + shifted));
  }
  return reach;
}

BorderSums::BorderSums(const comm::Communicator& ranks, const Domain& domain, const BrickGrid& grid, int margin,
                       TransportStyle style, int words)
    : chosen_(comm::makeTransport(style, ranks, domain)), grid_(grid), shareGpus_(comm::shareGpus(ranks)) {
  InnerCells &inner = shared_.inner, &own = shared_.own;
  for (int axis = 0; axis < 3; ++axis) {
    inner.high[axis] = own.high[axis] = grid.span[axis];
    if (domain.cut(axis))  // with one behind, for the grid's shift
      own.low[axis] = grid.before[axis], own.high[axis] = grid.before[axis] + grid.own[axis] + 1;
  }
  std::vector<SharedBox> boxes;
  comm::GhostPlan plan;
  int rows = 0;
  for (int way = 0; way < direction::count; ++way) {
    plan.firstSend[way] = plan.firstGhost[way] = rows;
    if (!domain.hasNeighbor(way)) continue;
    SharedBox box{{0, 0, 0}, {grid.span[0], grid.span[1], grid.span[2]}, rows, way, own};
    for (int axis = 0; axis < 3; ++axis) {
      const int step = direction::along(way, axis);
      if (step == 0) continue;
      // The neighbour's cells, moved by the box where it lies behind its end.
      const int parts = domain.ranks[static_cast<std::size_t>(axis)],
                other = domain.at[static_cast<std::size_t>(axis)] + step, n = grid.cells[axis];
      auto theirs = cellsOf(domain, axis, (other + parts) % parts, n, margin);
      const int moved = other < 0 ? -n : other >= parts ? n : 0;
      const auto mine = cellsOf(domain, axis, domain.at[static_cast<std::size_t>(axis)], n, margin);
      const int first = firstOf(domain, grid, axis), end = std::min(theirs[1] + moved, mine[1]) - first;
      box.low[axis] = std::max(theirs[0] + moved, mine[0]) - first, box.size[axis] = end - box.low[axis];
      box.theirs.low[axis] = theirs[0] + margin + moved - first;
      box.theirs.high[axis] = theirs[1] - margin + moved - first;
      if (step < 0)
        inner.low[axis] = std::max(inner.low[axis], end);
      else
        inner.high[axis] = std::min(inner.high[axis], box.low[axis]);
    }
    boxes.push_back(box), rows += box.size[0] * box.size[1] * box.size[2];
  }
  plan.firstSend[direction::count] = plan.firstGhost[direction::count] = rows;
  std::copy(boxes.begin(), boxes.end(), shared_.boxes);
  shared_.number = static_cast<int>(boxes.size());
  shared_.row = grid.span[0], shared_.rows = grid.span[1];
  shared_.byRow = Quotient::by(shared_.row), shared_.byRows = Quotient::by(shared_.rows);
  cells_ = toDevice<int>("shared cells", cellsInAny(boxes, grid));
  for (const int width : {words - words % 4, words % 4})
    if (width > 0)
      fields_.add<u32>("sums of neighbours", rewritten | ghosted, static_cast<std::size_t>(rows),
                       static_cast<std::size_t>(width), true);
  chosen_.transport->prepare(plan, fields_.places(ghosted));
}

backend::PeerFlags BorderSums::awaited() {
  backend::PeerFlags flags = chosen_.transport->awaited();
  flags.flag[direction::here] = packed_.data() + 1;
  return flags;
}

std::size_t BorderSums::bytes() const { return fields_.bytes() + cells_.extent(0) * sizeof(int); }

}  // namespace mesowarp::mpcd
