// What ghosts hold, added to the particles that they are copies of.
#include <gtest/gtest.h>

#include "device/host_copy.hpp"
#include "on_all_ranks.hpp"
#include "state/box_population.hpp"
#include "tests/unit/shear/shear_systems.hpp"
#include "tests/unit/support/test_bitwise.hpp"

namespace mesowarp::test {
namespace {

using Population = BoxPopulation<MixedPrecision>;

// Each ghost has its particle's number, as it stands on the particle's own rank, and 1.
void checkThatEachCopyCountsOnce(const System& system) {
  const auto engine = onAllRanks(system);
  auto& population = dynamic_cast<Population&>(*engine->populations().front());
  auto& arrays = population.arrays();
  const auto mark = arrays.fields.add<u32>("mark", moves | ghosted, arrays.capacity);
  const auto sums = arrays.fields.add<double>("sums", 0u, arrays.capacity, 2);
  Kokkos::deep_copy(mark->current, arrays.tag->current);
  advance(*engine, 0, 20, {});
  engine->counters();
  const int own = arrays.count, all = arrays.count + arrays.ghosts;
  ASSERT_GT(arrays.ghosts, 0);
  const auto marks = hostCopy(mark->current);
  auto values = Kokkos::create_mirror_view(sums->current);
  std::vector<i64> copies(1200, 0);
  for (int i = 0; i < all; ++i) {
    const bool ghost = i >= own;
    values(2 * i) = ghost ? marks(i) + 0.5 : 0.25, values(2 * i + 1) = ghost ? 1.0 : 0.0;
    if (ghost) ++copies[marks(i)];
  }
  world().sum(copies.data(), static_cast<int>(copies.size()));
  Kokkos::deep_copy(sums->current, values);
  population.addGhostsBack(*sums);
  Kokkos::fence();
  const auto after = hostCopy(sums->current);
  i64 most = 0;
  for (int i = 0; i < own; ++i) {
    const double n = static_cast<double>(copies[marks(i)]);
    EXPECT_EQ(after(2 * i), 0.25 + n * (marks(i) + 0.5)) << i;
    EXPECT_EQ(after(2 * i + 1), n) << i;
    most = std::max(most, copies[marks(i)]);
  }
  for (int i = own; i < all; ++i) EXPECT_EQ(after(2 * i), marks(i) + 0.5) << i;
  if (world().size() > 1) {
    EXPECT_GT(world().largest(most), 0);
  }
}

TEST(EngineRanksSums, EachCopyCountsOnce) { checkThatEachCopyCountsOnce(bitwiseFluid(input::Precision::mixed)); }

// Whose ghosts lie in another order than they come.
TEST(EngineRanksSums, EachCopyCountsOnceInAShearedBox) {
  checkThatEachCopyCountsOnce(shearedFluid(input::Precision::mixed, 3.0, true, 1, 0));
}

}  // namespace
}  // namespace mesowarp::test
