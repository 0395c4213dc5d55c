// Particles of a benchmark stored in random order: each has the neighbours it had.
#include <gtest/gtest.h>

#include "device/host_copy.hpp"
#include "perf/bench/bench_shuffle.hpp"
#include "tests/unit/support/test_cells.hpp"

namespace mesowarp {
namespace {

struct CopyRow {
  NeighborTable table;
  DeviceArray<int> size, core;
  Kokkos::View<int* [256], Kokkos::LayoutRight, Memory> row;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const NeighborRow r = table.row(i);
    size(i) = r.size, core(i) = r.core;
    for (int k = 0; k < r.size; ++k) row(i, k) = table.entries(r.first + i64{k} * r.stride);
  }
};

struct Rows {
  std::vector<std::vector<int>> all;
  std::vector<int> core;
};

Rows rowsOf(const NeighborTable& table, int n) {
  const CopyRow copy{table, DeviceArray<int>("size", n), DeviceArray<int>("core", n),
                     Kokkos::View<int* [256], Kokkos::LayoutRight, Memory>("rows", n)};
  Kokkos::parallel_for("copy rows", Range(0, n), copy);
  const auto size = hostCopy(copy.size), core = hostCopy(copy.core);
  const auto row = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), copy.row);
  Rows rows;
  for (int i = 0; i < n; ++i) {
    rows.all.emplace_back();
    for (int k = 0; k < size(i); ++k) rows.all.back().push_back(row(i, k));
    rows.core.push_back(core(i));
  }
  return rows;
}

TEST(BenchShuffle, KeepsEveryNeighbor) {
  const Box box{{7.0, 6.0, 8.0}};
  const int n = 1003;
  CellGrid grid(box, 1.3);
  const auto particles = test::sortIntoCells(grid, test::randomPositions<u32>(box, n, 11));
  NeighborList list(n, 1.0, 1.3, 28.0);
  list.build(box, grid, particles.deviceKeys, particles.devicePositions, n, n, Exclusions{});
  const auto permutation = Permutation::random(n);
  const auto oldOf = test::toVector(permutation.oldOf), newOf = test::toVector(permutation.newOf);
  const Rows before = rowsOf(list.table(), n), after = rowsOf(shuffled(list.table(), permutation), n);
  int moved = 0;
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(newOf[oldOf[i]], i);
    std::vector<int> expected;
    for (const int j : before.all[oldOf[i]]) expected.push_back(newOf[j]);
    ASSERT_EQ(after.all[i], expected);
    ASSERT_EQ(after.core[i], before.core[oldOf[i]]);
    moved += oldOf[i] != i ? 1 : 0;
  }
  EXPECT_GT(moved, 900);
}

}  // namespace
}  // namespace mesowarp
