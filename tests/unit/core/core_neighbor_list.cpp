// The neighbour list of each builder against brute force, for 32- and 64-bit coordinates.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iterator>

#include "device/host_copy.hpp"
#include "kernels/rows/neighbor_table.hpp"
#include "state/neighbor_list.hpp"
#include "tests/unit/support/test_cells.hpp"

namespace mesowarp {
namespace {

constexpr double cutoff = 1.0, reach = 1.3;

// The ways in which this backend can build rows.
std::vector<RowBuild> rowBuilds() {
  std::vector<RowBuild> styles;
  std::copy_if(std::begin(everyRowBuild), std::end(everyRowBuild), std::back_inserter(styles), hasRowBuild);
  return styles;
}

// What a builder promises.
struct Promise {
  double excess;  // by how far beyond the reach a pair may be listed, as a fraction
  bool rising;    // core entries rise strictly, and so do skin entries
  bool parted;    // no core entry is beyond the cutoff; that no skin entry is within it, all promise
};
Promise promiseOf(RowBuild style) {
  if (!backend::onGpu || style == RowBuild::simple) return {1e-5, true, false};
  if (style == RowBuild::groups) return {2e-2, false, true};  // compares in half precision
  return {1e-5, style == RowBuild::ballot, true};
}

std::vector<NeighborRow> rowsOf(const NeighborTable& table, int particles) {
  std::vector<NeighborRow> rows;
  if (backend::onGpu) {
    for (const RowPlace& place : test::toVector(table.place)) rows.push_back(place.row());
  } else {
    const auto start = hostCopy(table.start);
    const auto size = hostCopy(table.size);
    for (int i = 0; i < particles; ++i) rows.push_back({start(i), 1, size(i), size(i)});
  }
  return rows;
}

template <class Coord>
struct ListOf {
  test::SortedParticles<Coord> particles;
  RowBuild style;
  double cutoff;
  std::vector<std::vector<int>> rows;
  std::vector<int> core;          // entries of each row
  std::vector<u32> tag, partner;  // sorted
  std::vector<i32> type;          // of each partner: 0 excludes, 1 does not
};

// `partners`: `width` excluded tags of each (unsorted) particle; within: the cutoff.
template <class Coord>
ListOf<Coord> buildList(RowBuild style, const Box& box, const std::vector<Vec3<Coord>>& positions, double expected,
                        int width = 0, const std::vector<u32>& partners = {}, double within = cutoff) {
  CellGrid grid(box, reach);
  ListOf<Coord> list;
  list.style = style;
  list.cutoff = within;
  list.particles = test::sortIntoCells(grid, positions);
  for (const int old : list.particles.order) {
    list.tag.push_back(static_cast<u32>(old));
    for (int b = 0; b < width; ++b) {
      const u32 partner = partners[old * width + b];
      list.partner.push_back(partner);
      list.type.push_back(partner != noBond && (partner + static_cast<u32>(old)) % 3 == 0 ? 1 : 0);
    }
  }
  const int n = static_cast<int>(positions.size());
  NeighborList neighbors(n, within, reach, expected, style);
  Exclusions exclusions;
  if (width > 0) {
    exclusions.partner = test::onDevice(list.partner);
    exclusions.tag = test::onDevice(list.tag);
    exclusions.type = test::onDevice(list.type);
    exclusions.excludes = test::onDevice(std::vector<i32>{1, 0});
    exclusions.width = width;
  }
  do neighbors.build(box, grid, list.particles.deviceKeys, list.particles.devicePositions, n, n, exclusions);
  while (!neighbors.complete());
  // It stands in where cells are too few, or too full.
  if ((style == RowBuild::groups || style == RowBuild::ballot) && neighbors.waits()) list.style = RowBuild::simple;
  const auto entries = hostCopy(neighbors.table().entries);
  const auto rows = rowsOf(neighbors.table(), n);
  list.rows.resize(n);
  for (int i = 0; i < n; ++i) list.core.push_back(rows[i].core);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < rows[i].size; ++k) list.rows[i].push_back(entries(rows[i].first + i64{k} * rows[i].stride));
  return list;
}

// Core entries first, in the order that the builder promises, nothing twice.
template <class Coord>
void expectOrder(const Box& box, const ListOf<Coord>& list, int i) {
  const Promise promise = promiseOf(list.style);
  const double coreReach = (promise.parted ? list.cutoff : reach) + promise.excess * reach;
  const auto& row = list.rows[i];
  const auto core = static_cast<std::size_t>(list.core[i]);
  ASSERT_LE(core, row.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    ASSERT_GE(row[k], 0);
    ASSERT_LT(row[k], static_cast<int>(list.rows.size()));
    if (promise.rising && k > 0 && k != core) {
      ASSERT_LT(row[k - 1], row[k]) << "entry " << k << " of row " << i;
    }
    const auto& positions = list.particles.positions;
    const auto d = static_cast<double>(test::distance(box, positions[i], positions[row[k]]));
    if (k < core) {
      ASSERT_LT(d, coreReach) << "core entry " << k << " of row " << i;
    } else {
      ASSERT_GE(d, list.cutoff) << "skin entry " << k << " of row " << i;
    }
  }
  std::vector<int> sorted = row;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end()) << "an entry twice in row " << i;
}

// Every pair nearer than the reach is listed on both sides, none beyond reach (1 + excess).
template <class Coord>
void expectComplete(const Box& box, const ListOf<Coord>& list, int width = 0) {
  const int n = static_cast<int>(list.rows.size());
  const double excess = promiseOf(list.style).excess;
  std::vector<char> listed(static_cast<std::size_t>(n) * n, 0);
  for (int i = 0; i < n; ++i) {
    expectOrder(box, list, i);
    if (testing::Test::HasFatalFailure()) return;
    for (const int j : list.rows[i]) listed[i * n + j] = 1;
  }
  const auto excluded = [&](int i, int j) {
    for (int b = 0; b < width; ++b)
      if (list.partner[i * width + b] == list.tag[j] && list.type[i * width + b] == 0) return true;
    return false;
  };
  for (int i = 0; i < n; ++i) {
    ASSERT_FALSE(listed[i * n + i]) << "a particle is its own neighbour";
    for (int j = 0; j < i; ++j) {
      const long double d = test::distance(box, list.particles.positions[i], list.particles.positions[j]);
      const bool out = excluded(i, j), needed = d < reach && !out, needless = d > reach * (1.0 + excess) || out;
      // Where halves are compared, each side rounds for itself: a pair may be one-sided, but only beyond the reach.
      ASSERT_TRUE(listed[i * n + j] == listed[j * n + i] || (excess > 1e-3 && d > reach)) << "a one-sided pair";
      ASSERT_TRUE(listed[i * n + j] || !needed) << "missing pair at " << static_cast<double>(d);
      ASSERT_TRUE(!listed[i * n + j] || !needless) << "needless pair at " << static_cast<double>(d);
    }
  }
}

template <class Coord>
class CoreNeighborList : public testing::Test {};
using Coordinates = testing::Types<u32, u64>;
TYPED_TEST_SUITE(CoreNeighborList, Coordinates);

const char* nameOf(RowBuild style) {
  switch (style) {
  case RowBuild::groups:
    return "groups";
  case RowBuild::ballot:
    return "ballot";
  case RowBuild::atomic:
    return "atomic";
  case RowBuild::simple:
    return "simple";
  }
  return "";
}

TYPED_TEST(CoreNeighborList, AgreesWithBruteForce) {
  const Box boxes[] = {{{2.6, 2.6, 2.6}, {true, true, true}},  {{7.1, 7.1, 7.1}, {true, true, true}},
                       {{12.0, 2.7, 5.3}, {true, true, true}}, {{5.0, 5.0, 5.0}, {false, false, false}},
                       {{2.6, 6.0, 0.7}, {true, true, false}}, {{1.0, 0.5, 9.0}, {false, false, true}}};
  for (const RowBuild style : rowBuilds()) {
    for (const Box& box : boxes) {
      const int n = static_cast<int>(4.0 * box.volume()) + 60;
      const double expected = n / box.volume() * 4.19 * reach * reach * reach;
      const auto list = buildList(style, box, test::randomPositions<TypeParam>(box, n, 5), expected);
      expectComplete(box, list);
      if (testing::Test::HasFatalFailure())
        FAIL() << nameOf(style) << ", box " << box.size[0] << " x " << box.size[1] << " x " << box.size[2];
    }
  }
}

// A system large enough for every shape of group, at densities where cells are full and where many are empty: each
// builder lists the pairs that the simple one does, and beyond them only pairs on the edge of the reach, none twice.
TYPED_TEST(CoreNeighborList, LargeSystemsAgreeWithTheSimpleBuilder) {
  if (rowBuilds().size() == 1) GTEST_SKIP() << "this backend has one builder";
  constexpr int n = 320000;
  for (const double density : {3.0, 0.3}) {
    const double x = std::cbrt(n / density);
    const Box box{{x, 1.03 * x, 0.97 * x}, {true, false, true}};
    const auto positions = test::randomPositions<TypeParam>(box, n, 17);
    const double expected = density * 4.19 * reach * reach * reach;
    const auto reference = buildList(RowBuild::simple, box, positions, expected);
    for (const RowBuild style : rowBuilds()) {
      const auto list = buildList(style, box, positions, expected);
      for (int i = 0; i < n; ++i) {
        std::vector<int> row = list.rows[i], wanted = reference.rows[i], extra;
        std::sort(row.begin(), row.end());
        std::sort(wanted.begin(), wanted.end());
        ASSERT_TRUE(std::adjacent_find(row.begin(), row.end()) == row.end()) << nameOf(style) << ": a neighbour twice";
        ASSERT_TRUE(std::includes(row.begin(), row.end(), wanted.begin(), wanted.end()) || style != RowBuild::groups)
            << nameOf(style) << ": a neighbour is missing";
        std::set_symmetric_difference(row.begin(), row.end(), wanted.begin(), wanted.end(), std::back_inserter(extra));
        for (const int j : extra) {
          const long double d = test::distance(box, list.particles.positions[i], list.particles.positions[j]);
          ASSERT_NEAR(static_cast<double>(d), reach, reach * (promiseOf(style).excess + 1e-5)) << nameOf(style);
        }
      }
    }
  }
}

// Density 50: cells of 110 particles, rows of 460.
TYPED_TEST(CoreNeighborList, DenseSystem) {
  const Box box{{3.9, 2.7, 5.2}, {false, false, true}};
  const int n = static_cast<int>(50.0 * box.volume());
  for (const RowBuild style : rowBuilds()) {
    expectComplete(box, buildList(style, box, test::randomPositions<TypeParam>(box, n, 8), 460.0));
    if (testing::Test::HasFatalFailure()) FAIL() << nameOf(style);
  }
}

// Votes and atomic increments find the same entries: they compare the same numbers.
TYPED_TEST(CoreNeighborList, AtomicRowsAreBallotRows) {
  if (!backend::onGpu) GTEST_SKIP() << "both are builders of a GPU";
  const Box box{{7.1, 6.0, 8.0}, {true, true, false}};
  const auto positions = test::randomPositions<TypeParam>(box, 1600, 12);
  const auto ballot = buildList(RowBuild::ballot, box, positions, 43.0);
  auto atomic = buildList(RowBuild::atomic, box, positions, 43.0);
  EXPECT_EQ(atomic.core, ballot.core);
  for (std::size_t i = 0; i < atomic.rows.size(); ++i) {
    auto& row = atomic.rows[i];
    ASSERT_LE(static_cast<std::size_t>(atomic.core[i]), row.size());
    std::sort(row.begin(), row.begin() + atomic.core[i]);
    std::sort(row.begin() + atomic.core[i], row.end());
    ASSERT_EQ(row, ballot.rows[i]);
  }
}

// Right after a build only core entries are looked at, so what is within the cutoff by a hair must be one, also where
// the skin is most of the reach.
TYPED_TEST(CoreNeighborList, PairsAtTheCutoffAreInTheCore) {
  const Box box{{9.1, 6.6, 7.9}, {true, false, true}};
  test::Uniform uniform(31);
  // Cells with a few particles, and full ones.
  for (const auto& [pairs, within] :
       {std::pair{300, cutoff}, std::pair{2500, cutoff}, std::pair{600, 0.25}, std::pair{600, 0.5}}) {
    std::vector<Vec3<TypeParam>> positions;
    for (int k = 0; k < pairs; ++k) {
      const double x = 1.1 + 6.9 * uniform(), y = 1.1 + 4.4 * uniform(), z = 1.1 + 5.7 * uniform();
      const double c = 2.0 * uniform() - 1.0, s = std::sqrt(1.0 - c * c), phi = 2.0 * M_PI * uniform(),
                   r = within * (1.0 - 3e-9 * (1 + k % 40));
      positions.push_back(test::coordinates<TypeParam>(box, x, y, z));
      positions.push_back(
          test::coordinates<TypeParam>(box, x + r * s * std::cos(phi), y + r * s * std::sin(phi), z + r * c));
    }
    for (const RowBuild style : rowBuilds()) {
      expectComplete(box, buildList(style, box, positions, 2.0 * pairs / box.volume() * 4.19 * reach * reach * reach, 0,
                                    {}, within));
      if (testing::Test::HasFatalFailure()) FAIL() << nameOf(style) << ", cutoff " << within;
    }
  }
}

// Particles on the edges and corners of box and cells, and on top of each other.
TYPED_TEST(CoreNeighborList, EdgesAndCorners) {
  const Box box{{5.2, 5.2, 5.2}, {true, false, true}};
  std::vector<Vec3<TypeParam>> positions;
  const double at[] = {0.0, 1.3, 2.6, 3.9, std::nextafter(5.2, 0.0)};
  for (const double x : at)
    for (const double y : at)
      for (const double z : at) positions.push_back(test::coordinates<TypeParam>(box, x, y, z));
  for (int k = 0; k < 5; ++k) positions.push_back(positions[7]);
  for (const RowBuild style : rowBuilds()) {
    expectComplete(box, buildList(style, box, positions, 4.0));
    if (testing::Test::HasFatalFailure()) FAIL() << nameOf(style);
  }
}

// Every builder's list is complete, and has a row longer than this.
template <class Coord>
void expectLongRows(const Box& box, const std::vector<Vec3<Coord>>& positions, double expected, std::size_t length) {
  for (const RowBuild style : rowBuilds()) {
    const auto list = buildList(style, box, positions, expected);
    std::size_t longest = 0;
    for (const auto& row : list.rows) longest = std::max(longest, row.size());
    EXPECT_GT(longest, length) << nameOf(style);
    expectComplete(box, list);
    if (testing::Test::HasFatalFailure()) FAIL() << nameOf(style);
  }
}

// All in one corner: rows far beyond the first capacity.
TYPED_TEST(CoreNeighborList, RowsThatOverflowGrow) {
  const Box box{{20.0, 20.0, 20.0}, {true, true, true}};
  test::Uniform uniform(9);
  std::vector<Vec3<TypeParam>> positions;
  for (int k = 0; k < 700; ++k) {
    const double x = uniform() * 2.0, y = uniform() * 2.0, z = uniform() * 2.0;
    positions.push_back(test::coordinates<TypeParam>(box, x, y, z));
  }
  expectLongRows(box, positions, 0.5, 300);
}

// One cell with more particles than the ballot builder counts in a cell: another builder stands in.
TYPED_TEST(CoreNeighborList, CellsThatAreTooFull) {
  const Box box{{2.5, 2.5, 2.5}, {false, false, false}};
  const auto positions = test::randomPositions<TypeParam>(box, 2100, 23);
  expectLongRows(box, positions, 600.0, 600);
}

TYPED_TEST(CoreNeighborList, ExcludedPartnersStayOut) {
  const Box box{{4.0, 4.0, 4.0}, {true, true, true}};
  constexpr int n = 300, width = 3;
  const auto positions = test::randomPositions<TypeParam>(box, n, 6);
  std::vector<u32> partners(n * width, noBond);
  const auto join = [&](int a, int b) {
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
      for (int s = 0; s < width; ++s)
        if (partners[from * width + s] == noBond) {
          partners[from * width + s] = static_cast<u32>(to);
          break;
        }
  };
  for (int k = 0; k + 1 < n; ++k)
    if (k % 10 != 9) join(k, k + 1);
  for (int k = 0; k < n; k += 20) join(k, (k + 13) % n);
  for (const RowBuild style : rowBuilds()) {
    expectComplete(box, buildList(style, box, positions, 40.0, width, partners), width);
    if (testing::Test::HasFatalFailure()) FAIL() << nameOf(style);
  }
}

TYPED_TEST(CoreNeighborList, OneParticleHasNoNeighbours) {
  const Box box{{4.0, 4.0, 4.0}, {true, true, true}};
  const auto position = test::randomPositions<TypeParam>(box, 1, 6);
  for (const RowBuild style : rowBuilds())
    EXPECT_TRUE(buildList(style, box, position, 0.0).rows[0].empty()) << nameOf(style);
}

}  // namespace
}  // namespace mesowarp
