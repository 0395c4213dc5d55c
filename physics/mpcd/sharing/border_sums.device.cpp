#include "physics/mpcd/sharing/border_sums.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "device/host_copy.hpp"

namespace mesowarp::mpcd {
namespace {

// A cell may be in several ways: integers, so the order of additions cannot matter.
template <int sums>
struct AddSums {
  u64* sum;
  u32* strayed;
  bool clears;
  DeviceArray<int> cell;
  u32* from[direction::count];
  int first[direction::count + 1];
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    int way = 0;
    while (first[way + 1] <= k) ++way;
    auto* came = reinterpret_cast<u64*>(from[way] + static_cast<std::size_t>(k - first[way]) * 2 * sums);
    u64* const to = sum + static_cast<std::size_t>(cell(k)) * sums;
    u64 any = 0;
    for (int s = 0; s < sums; ++s) {
      if (came[s] != 0) Kokkos::atomic_add(to + s, came[s]);
      any |= came[s];
    }
    if (any == 0) return;
    if (clears)
      for (int s = 0; s < sums; ++s) came[s] = 0;
    if (strayed != nullptr) Kokkos::atomic_or(strayed + cell(k) / 32, u32{1} << cell(k) % 32);
  }
};

int floorOf(u64 edge, int cells) { return static_cast<int>(edge * static_cast<u64>(cells) >> 32); }

// Of a part along an axis: its first cell, margin included, and behind its last one; may lie beyond the box.
std::array<int, 2> cellsOf(const Domain& domain, int axis, int part, int cells, int margin) {
  const int low = floorOf(domain.edge(axis, part), cells);
  const u64 behind = domain.edge(axis, part + 1) * static_cast<u64>(cells);
  const int high = static_cast<int>((behind - 1) >> 32);  // that the last tick is in
  return {low - margin, high + margin + 2};
}

}  // namespace

BrickGrid spanOf(const Domain& domain, const std::array<int, 3>& cells, int margin) {
  BrickGrid grid;
  for (int axis = 0; axis < 3; ++axis) {
    grid.cells[axis] = grid.span[axis] = cells[static_cast<std::size_t>(axis)];
    grid.halfCell[axis] = static_cast<u32>((u64{1} << 31) / static_cast<u64>(grid.cells[axis]));
    if (domain.cut(axis)) {
      const auto [low, end] =
          cellsOf(domain, axis, domain.at[static_cast<std::size_t>(axis)], grid.cells[axis], margin);
      grid.first[axis] = (low + grid.cells[axis]) % grid.cells[axis];
      grid.span[axis] = end - low;
    }
  }
  grid.cutInto(grid.edge[0], grid.edge[1], grid.edge[2]);
  return grid;
}

// A particle at x, counted in cells from the span's first one, is in cell floor(x + shift).
Reach reachAround(const Domain& domain, const BrickGrid& grid, const GridShift& shift, int margin, double distance) {
  Reach reach{grid, {}, nullptr};
  for (int axis = 0; axis < 3; ++axis) {
    reach.cells.high[axis] = grid.span[axis];
    if (!domain.cut(axis)) continue;
    const int part = domain.at[static_cast<std::size_t>(axis)];
    const auto edge = [&](int of) { return static_cast<double>(domain.edge(axis, of)) * 0x1p-32 * grid.cells[axis]; };
    const double first = cellsOf(domain, axis, part, grid.cells[axis], margin)[0],
                 shifted = shift.of[axis] * 0x1p-32 * grid.cells[axis] - first;
    reach.cells.low[axis] = static_cast<int>(std::ceil(edge(part) - distance + shifted));
    reach.cells.high[axis] = static_cast<int>(std::floor(edge(part + 1) + distance + shifted));
  }
  return reach;
}

BorderSums::BorderSums(const comm::Communicator& ranks, const Domain& domain, const BrickGrid& grid, int margin,
                       TransportStyle style, int sums)
    : chosen_(comm::makeTransport(style, ranks, domain)), sums_(sums),
      sparse_(std::string_view(chosen_.transport->name()) == "peer") {
  for (int axis = 0; axis < 3; ++axis) inner_.high[axis] = grid.span[axis];
  std::vector<int> cell;
  for (int way = 0; way < direction::count; ++way) {
    plan_.firstSend[way] = plan_.firstGhost[way] = static_cast<int>(cell.size());
    if (!domain.hasNeighbor(way)) continue;
    int low[3] = {0, 0, 0}, end[3] = {grid.span[0], grid.span[1], grid.span[2]};
    for (int axis = 0; axis < 3; ++axis) {
      const int step = direction::along(way, axis);
      if (step == 0) continue;
      // The neighbour's cells, moved by the box where it lies behind its end.
      const int parts = domain.ranks[static_cast<std::size_t>(axis)],
                other = domain.at[static_cast<std::size_t>(axis)] + step, n = grid.cells[axis];
      auto theirs = cellsOf(domain, axis, (other + parts) % parts, n, margin);
      const int moved = other < 0 ? -n : other >= parts ? n : 0;
      const auto mine = cellsOf(domain, axis, domain.at[static_cast<std::size_t>(axis)], n, margin);
      low[axis] = std::max(theirs[0] + moved, mine[0]) - mine[0];
      end[axis] = std::min(theirs[1] + moved, mine[1]) - mine[0];
      if (step < 0)
        inner_.low[axis] = std::max(inner_.low[axis], end[axis]);
      else
        inner_.high[axis] = std::min(inner_.high[axis], low[axis]);
    }
    for (int z = low[2]; z < end[2]; ++z)
      for (int y = low[1]; y < end[1]; ++y)
        for (int x = low[0]; x < end[0]; ++x) cell.push_back((z * grid.span[1] + y) * grid.span[0] + x);
  }
  count_ = static_cast<int>(cell.size());
  plan_.firstSend[direction::count] = plan_.firstGhost[direction::count] = count_;
  cell_ = toDevice<int>("border cells", cell);
  came_ =
      fields_.add<u64>("sums of neighbours", rewritten | ghosted, cell.size(), static_cast<std::size_t>(sums), true);
  chosen_.transport->prepare(plan_, fields_.places(ghosted));
}

template <int sums>
void BorderSums::addCome(u64* sum, u32* strayed, const std::optional<comm::WaySources>& came) {
  AddSums<sums> add{sum, strayed, sparse_, cell_, {}, {}};
  for (int way = 0; way < direction::count; ++way)
    add.from[way] = came ? reinterpret_cast<u32*>(const_cast<char*>(came->from[way]))
                         : reinterpret_cast<u32*>(came_->current.data()) +
                               static_cast<std::size_t>(plan_.firstGhost[way]) * 2 * sums;
  for (int way = 0; way <= direction::count; ++way) add.first[way] = plan_.firstGhost[way];
  runBeside("add border sums", add);
}

void BorderSums::add(u64* sum, u32* strayed) {
  const auto came = chosen_.transport->finish(side_);
  switch (sums_) {
  case ofSolvent:
    addCome<ofSolvent>(sum, strayed, came);
    break;
  case ofGuests:
    addCome<ofGuests>(sum, strayed, came);
    break;
  case ofTurning:
    addCome<ofTurning>(sum, strayed, came);
    break;
  default:
    addCome<ofTurningTensor>(sum, strayed, came);
  }
  side_.beforeMain();
  fields_.swapState();
}

std::size_t BorderSums::bytes() const { return fields_.bytes() + cell_.extent(0) * sizeof(int); }

}  // namespace mesowarp::mpcd
