// A cell's sums of what is embedded in the solvent: they hold the most that is allowed, lose nothing that counts, and
// see more.
#include "physics/mpcd/solutes/guest_sums.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace mesowarp::mpcd {
namespace {

TEST(GuestSums, HoldTheMostAndSeeMore) {
  const GuestScale scale = GuestScale::of(10, 5);
  using Guests = GuestSumsOf<false>;
  std::vector<u64> words(2 * Guests::sums, 0);
  const Guests guests{words.data(), scale};
  const u64 nothing[4] = {};
  const SumScale solvent = SumScale::of(16.0, 10.0, true);
  double momentum[3] = {}, squared = 0.0;
  for (int k = 0; k < 64; ++k) {
    const double v[3] = {k % 2 == 0 ? 32.0 : 31.5, -0.1 * k, 1e-9 * k}, mass = 15.9 + 1e-3 * k;
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    guests.add(1, mass, v, square, {});
    for (int a = 0; a < 3; ++a) momentum[a] += mass * v[a];
    squared += mass * square;
  }
  CellSums all(solvent, nothing), empty(solvent, nothing);
  EXPECT_TRUE(guests.addTo(empty, 0));
  EXPECT_EQ(empty.count, 0);
  EXPECT_TRUE(guests.addTo(all, 1));
  EXPECT_EQ(all.count, 64);
  EXPECT_NEAR(all.mass, 64 * 15.9 + 1e-3 * 32 * 63, 1e-11);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(all.velocity[a], momentum[a], 1e-11);
  EXPECT_NEAR(all.squared, squared, 1e-7);
  for (const u64 word : words) EXPECT_EQ(word, 0u);
  const double slow[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 65; ++k) guests.add(0, 16.0, slow, 0.0, {});
  EXPECT_FALSE(guests.addTo(empty, 0));
}

}  // namespace
}  // namespace mesowarp::mpcd
