// The cell grid: ranks, ranges, stencils, for few and many cells along an axis, periodic and walled.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "core/cell_counts.hpp"
#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "tests/unit/support/test_cells.hpp"

namespace mesowarp {
namespace {

constexpr double leastWidth = 1.25;

struct GridCase {
  std::array<double, 3> size;
  std::array<bool, 3> periodic;
  std::array<int, 3> cells;  // expected along each axis
};

const GridCase cases[] = {
    {{2.5, 2.5, 2.5}, {true, true, true}, {2, 2, 2}},      {{3.9, 3.8, 3.76}, {true, true, true}, {3, 3, 3}},
    {{6.3, 6.3, 6.3}, {true, true, true}, {5, 5, 5}},      {{6.3, 2.6, 13.0}, {true, true, true}, {5, 2, 10}},
    {{2.6, 3.9, 6.3}, {false, false, false}, {2, 3, 5}},   {{6.3, 3.9, 2.6}, {true, false, true}, {5, 3, 2}},
    {{0.9, 9.0, 3.0}, {false, true, false}, {1, 7, 2}},  // thinner than that between walls
    {{20.1, 20.1, 5.0}, {true, true, false}, {16, 16, 4}},
};

class CoreCells : public testing::TestWithParam<GridCase> {
protected:
  Box box_{GetParam().size, GetParam().periodic};
  CellGrid grid_{box_, leastWidth};
  int count_ = GetParam().cells[0] * GetParam().cells[1] * GetParam().cells[2];
  std::vector<Vec3<u32>> particles_ = test::randomPositions<u32>(box_, 3000, 17);
  int cellAlong(u32 coordinate, int axis) const {  // without the grid's own arithmetic
    const int cell = static_cast<int>(toLength(box_, axis, coordinate) / box_.size[axis] * GetParam().cells[axis]);
    return std::min(cell, GetParam().cells[axis] - 1);
  }
};

TEST_P(CoreCells, ExpectedNumber) {
  EXPECT_EQ(grid_.cells(), count_);
  EXPECT_GE(i64{1} << grid_.keyBits(), static_cast<i64>(count_) * 64);
  EXPECT_LT(i64{1} << (grid_.keyBits() - 1), static_cast<i64>(count_) * 64);
}

// Keys of the cell centres: each rank once.
TEST_P(CoreCells, RanksAreAPermutation) {
  const auto& n = GetParam().cells;
  std::vector<Vec3<u32>> centres;
  for (int z = 0; z < n[2]; ++z)
    for (int y = 0; y < n[1]; ++y)
      for (int x = 0; x < n[0]; ++x)
        centres.push_back(test::coordinates<u32>(box_, (x + 0.5) * box_.size[0] / n[0], (y + 0.5) * box_.size[1] / n[1],
                                                 (z + 0.5) * box_.size[2] / n[2]));
  const auto sorted = test::sortIntoCells(grid_, centres);
  for (int rank = 0; rank < count_; ++rank) ASSERT_EQ(static_cast<int>(sorted.keys[rank] >> 6), rank);
}

TEST_P(CoreCells, EveryParticleIsInTheRangeOfItsCell) {
  const auto sorted = test::sortIntoCells(grid_, particles_);
  const auto start = test::toVector(grid_.start());
  ASSERT_EQ(start.size(), static_cast<std::size_t>(count_) + 1);
  EXPECT_EQ(start.front(), 0);
  EXPECT_EQ(start.back(), static_cast<int>(particles_.size()));
  std::set<std::array<int, 3>> seen;
  for (int rank = 0; rank < count_; ++rank) {
    ASSERT_LE(start[rank], start[rank + 1]);
    std::set<std::array<int, 3>> here;
    for (int i = start[rank]; i < start[rank + 1]; ++i) {
      ASSERT_EQ(static_cast<int>(sorted.keys[i] >> 6), rank);
      ASSERT_TRUE(i == start[rank] || sorted.keys[i - 1] <= sorted.keys[i]);
      const auto& p = sorted.positions[i];
      here.insert({cellAlong(p.x, 0), cellAlong(p.y, 1), cellAlong(p.z, 2)});
    }
    ASSERT_LE(here.size(), 1u) << "one rank holds particles of two cells";
    for (const auto& cell : here) ASSERT_TRUE(seen.insert(cell).second) << "two ranks hold particles of one cell";
  }
}

TEST_P(CoreCells, StencilsAreSortedUniqueAndComplete) {
  const auto sorted = test::sortIntoCells(grid_, particles_);
  const auto stencil = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), grid_.stencil());
  const auto size = hostCopy(grid_.stencilSize());
  int most = 1;
  for (int axis = 0; axis < 3; ++axis) most *= std::min(3, GetParam().cells[axis]);
  for (int rank = 0; rank < count_; ++rank) {
    ASSERT_LE(size(rank), most);
    ASSERT_TRUE(size(rank) == most || !box_.periodic[0] || !box_.periodic[1] || !box_.periodic[2]);
    bool self = false;
    for (int s = 0; s < size(rank); ++s) {
      ASSERT_TRUE(s == 0 || stencil(rank, s - 1) < stencil(rank, s));
      ASSERT_GE(stencil(rank, s), 0);
      ASSERT_LT(stencil(rank, s), count_);
      self = self || stencil(rank, s) == rank;
    }
    ASSERT_TRUE(self);
  }
  const auto inStencil = [&](int rank, int other) {
    for (int s = 0; s < size(rank); ++s)
      if (stencil(rank, s) == other) return true;
    return false;
  };
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t j = 0; j < sorted.positions.size(); ++j) {
      if (test::distance(box_, sorted.positions[i], sorted.positions[j]) >= leastWidth) continue;
      ASSERT_TRUE(inStencil(static_cast<int>(sorted.keys[i] >> 6), static_cast<int>(sorted.keys[j] >> 6)));
    }
}

INSTANTIATE_TEST_SUITE_P(Boxes, CoreCells, testing::ValuesIn(cases));

// Against a sort by Morton codes, made bit by bit: ranks of cells, groups of cells, stencils.
class CoreCellOrder : public testing::TestWithParam<std::array<int, 3>> {
protected:
  const std::array<int, 3>& dims_ = GetParam();
  Box box_{{dims_[0] * leastWidth * 1.001, dims_[1] * leastWidth * 1.001, dims_[2] * leastWidth * 1.001},
           {true, true, false}};
  CellGrid grid_{box_, leastWidth};
  std::vector<int> rank_ = test::toVector<int>(rankOfCell());

  DeviceArray<int> rankOfCell() const {
    DeviceArray<int> copy("ranks", grid_.cells());
    Kokkos::deep_copy(copy, grid_.indexer().rankOfCell);
    return copy;
  }
  std::array<int, 3> at(int cell) const {
    return {cell % dims_[0], cell / dims_[0] % dims_[1], cell / (dims_[0] * dims_[1])};
  }
  int cellAt(const std::array<int, 3>& at) const { return (at[2] * dims_[1] + at[1]) * dims_[0] + at[0]; }
  static u64 code(const std::array<int, 3>& at) {
    u64 result = 0;
    for (int bit = 0; bit < 10; ++bit)
      for (int axis = 0; axis < 3; ++axis) result |= static_cast<u64>(at[axis] >> bit & 1) << (3 * bit + axis);
    return result;
  }
};

TEST_P(CoreCellOrder, RanksAreThoseOfASort) {
  ASSERT_EQ(grid_.dims(), dims_);
  std::vector<std::pair<u64, int>> sorted;
  for (int cell = 0; cell < grid_.cells(); ++cell) sorted.emplace_back(code(at(cell)), cell);
  std::sort(sorted.begin(), sorted.end());
  for (int r = 0; r < grid_.cells(); ++r) ASSERT_EQ(rank_[sorted[r].second], r);
}

TEST_P(CoreCellOrder, GroupsAreRunsOfCells) {
  const std::array<int, 3> edges[] = {{1, 1, 1}, {2, 1, 1}, {2, 2, 1}, {2, 2, 2}, {4, 2, 2}, {4, 4, 2}, {4, 4, 4}};
  for (const auto& edge : edges) {
    std::vector<std::pair<int, u32>> expected;  // first cell, coordinates
    for (int z = 0; z * edge[2] < dims_[2]; ++z)
      for (int y = 0; y * edge[1] < dims_[1]; ++y)
        for (int x = 0; x * edge[0] < dims_[0]; ++x)
          expected.emplace_back(rank_[cellAt({x * edge[0], y * edge[1], z * edge[2]})],
                                static_cast<u32>(x) | static_cast<u32>(y) << 10 | static_cast<u32>(z) << 20);
    std::sort(expected.begin(), expected.end());
    const CellGroups& groups = grid_.groups(edge);
    const auto first = hostCopy(groups.firstCell);
    const auto coordinates = hostCopy(groups.at);
    ASSERT_EQ(static_cast<std::size_t>(groups.count), expected.size());
    for (int g = 0; g < groups.count; ++g) {
      ASSERT_EQ(first(g), expected[g].first);
      ASSERT_EQ(coordinates(g), expected[g].second);
    }
    ASSERT_EQ(first(groups.count), grid_.cells());
    for (int cell = 0; cell < grid_.cells(); ++cell) {
      const auto c = at(cell);
      const int g =
          static_cast<int>(std::upper_bound(first.data(), first.data() + groups.count, rank_[cell]) - first.data()) - 1;
      const u32 p = coordinates(g);
      ASSERT_EQ((std::array<int, 3>{c[0] / edge[0], c[1] / edge[1], c[2] / edge[2]}),
                (std::array<int, 3>{static_cast<int>(p & 1023), static_cast<int>(p >> 10 & 1023),
                                    static_cast<int>(p >> 20)}));
    }
  }
}

TEST_P(CoreCellOrder, StencilsAreTheCellsAround) {
  const auto stencil = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), grid_.stencil());
  const auto size = hostCopy(grid_.stencilSize());
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    std::set<int> expected;
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          const auto c = at(cell);
          if (c[2] + z < 0 || c[2] + z >= dims_[2]) continue;  // a wall
          expected.insert(
              rank_[cellAt({(c[0] + x + dims_[0]) % dims_[0], (c[1] + y + dims_[1]) % dims_[1], c[2] + z})]);
        }
    const int row = rank_[cell];
    ASSERT_EQ(static_cast<std::size_t>(size(row)), expected.size());
    int s = 0;
    for (const int other : expected) ASSERT_EQ(stencil(row, s++), other);
  }
}

INSTANTIATE_TEST_SUITE_P(Dims, CoreCellOrder,
                         testing::Values(std::array<int, 3>{2, 2, 1}, std::array<int, 3>{3, 5, 7},
                                         std::array<int, 3>{8, 8, 8}, std::array<int, 3>{17, 2, 9},
                                         std::array<int, 3>{2, 31, 1}, std::array<int, 3>{33, 16, 5},
                                         std::array<int, 3>{13, 21, 34}, std::array<int, 3>{1024, 3, 2}));

TEST(CoreCellGrid, RefusesAPeriodicBoxUnderTwiceTheReach) {
  EXPECT_THROW(CellGrid(Box{{2.4, 5.0, 5.0}, {true, true, true}}, leastWidth), InputError);
  EXPECT_NO_THROW(CellGrid(Box{{2.5, 5.0, 5.0}, {true, true, true}}, leastWidth));
  EXPECT_NO_THROW(CellGrid(Box{{0.5, 5.0, 5.0}, {false, true, true}}, leastWidth));
}

// 400 million particles at density 3 with a skin of 0.1: keys of 32 bits hold fewer cells than would fit.
TEST(CoreCellGrid, CellsFitTheSortKey) {
  const auto product = [](const std::array<int, 3>& n) { return static_cast<double>(n[0]) * n[1] * n[2]; };
  EXPECT_EQ(cellsAlong({349.5, 349.5, 349.5}, 1.1), (std::array<int, 3>{317, 317, 317}));
  for (const std::array<double, 3>& size :
       {std::array<double, 3>{511.0, 511.0, 511.0}, {2000.0, 300.0, 400.0}, {1e6, 1e6, 1e6}, {5000.0, 5000.0, 90.0}}) {
    const auto cells = cellsAlong(size, 1.1);
    EXPECT_LE(product(cells), mostCells);
    EXPECT_GT(product(cells), 0.96 * mostCells);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GE(size[axis] / cells[axis], 1.1);
      EXPECT_LE(cells[axis], mostCellsAlong);
    }
  }
  EXPECT_EQ(cellsAlong({1e300, 1.0, 5.0}, 1.0), (std::array<int, 3>{mostCellsAlong, 1, 5}));
  EXPECT_EQ(cellsAlong({12.0, 12.0, 5.0}, {1.0, 2.5, 2.0}), (std::array<int, 3>{12, 4, 2}));
}

TEST(CoreCellGrid, EmptyCellsAndOneParticle) {
  const Box box{{6.3, 6.3, 6.3}, {true, true, true}};
  CellGrid grid(box, leastWidth);
  const auto sorted = test::sortIntoCells<u64>(grid, {test::coordinates<u64>(box, 3.0, 3.0, 3.0)});
  const auto start = test::toVector(grid.start());
  const int rank = static_cast<int>(sorted.keys[0] >> 6);
  for (int r = 0; r <= grid.cells(); ++r) EXPECT_EQ(start[r], r > rank ? 1 : 0);
}

}  // namespace
}  // namespace mesowarp
