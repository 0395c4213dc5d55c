// The cell grid: ranks, ranges, stencils, for few and many cells an axis, periodic and walled.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "core/error.hpp"
#include "test_cells.hpp"

namespace mesowarp {
namespace {

constexpr double reach = 1.25;

struct GridCase {
  std::array<double, 3> size;
  std::array<bool, 3> periodic;
  std::array<int, 3> cells;  // expected along each axis
};

const GridCase cases[] = {
    {{2.5, 2.5, 2.5}, {true, true, true}, {2, 2, 2}},      {{3.9, 3.8, 3.76}, {true, true, true}, {3, 3, 3}},
    {{6.3, 6.3, 6.3}, {true, true, true}, {5, 5, 5}},      {{6.3, 2.6, 13.0}, {true, true, true}, {5, 2, 10}},
    {{2.6, 3.9, 6.3}, {false, false, false}, {2, 3, 5}},   {{6.3, 3.9, 2.6}, {true, false, true}, {5, 3, 2}},
    {{0.9, 9.0, 3.0}, {false, true, false}, {1, 7, 2}},  // thinner than the reach between walls
    {{20.1, 20.1, 5.0}, {true, true, false}, {16, 16, 4}},
};

class CoreCells : public testing::TestWithParam<GridCase> {
protected:
  Box box_{GetParam().size, GetParam().periodic};
  CellGrid grid_{box_, reach};
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
  const auto stencil = test::onHost(grid_.stencil());
  const auto size = test::onHost(grid_.stencilSize());
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
      if (test::distance(box_, sorted.positions[i], sorted.positions[j]) >= reach) continue;
      ASSERT_TRUE(inStencil(static_cast<int>(sorted.keys[i] >> 6), static_cast<int>(sorted.keys[j] >> 6)));
    }
}

INSTANTIATE_TEST_SUITE_P(Boxes, CoreCells, testing::ValuesIn(cases));

TEST(CoreCellGrid, RefusesAPeriodicBoxUnderTwiceTheReach) {
  EXPECT_THROW(CellGrid(Box{{2.4, 5.0, 5.0}, {true, true, true}}, reach), InputError);
  EXPECT_NO_THROW(CellGrid(Box{{2.5, 5.0, 5.0}, {true, true, true}}, reach));
  EXPECT_NO_THROW(CellGrid(Box{{0.5, 5.0, 5.0}, {false, true, true}}, reach));
}

TEST(CoreCellGrid, EmptyCellsAndOneParticle) {
  const Box box{{6.3, 6.3, 6.3}, {true, true, true}};
  CellGrid grid(box, reach);
  const auto sorted = test::sortIntoCells<u64>(grid, {test::coordinates<u64>(box, 3.0, 3.0, 3.0)});
  const auto start = test::toVector(grid.start());
  const int rank = static_cast<int>(sorted.keys[0] >> 6);
  for (int r = 0; r <= grid.cells(); ++r) EXPECT_EQ(start[r], r > rank ? 1 : 0);
}

}  // namespace
}  // namespace mesowarp
