// reproducibility = "bitwise" on several ranks: the state and the table's sums have the bits of one rank, for every
// feature.
#include <gtest/gtest.h>

#include "on_all_ranks.hpp"
#include "tests/unit/support/test_bitwise.hpp"
#include "tests/unit/support/test_phases.hpp"

namespace mesowarp::test {
namespace {

class EngineRanksBitwise : public testing::TestWithParam<input::Precision> {};

TEST_P(EngineRanksBitwise, HaveTheBitsOfOneRank) {
  for (const BitwiseFeature& feature : bitwiseFeatures) {
    const System system = feature.make(GetParam());
    const auto together = onAllRanks(system);
    EXPECT_EQ(bitsAfter(*together, 60), bitsByTheRoot([&] { return bitsAfter(*system.engine(), 60); })) << feature.name;
    for (int c = 0; c < 3; ++c) EXPECT_EQ(together->sums().force[c], 0.0) << feature.name;
    if (world().size() > 1) {
      EXPECT_GT(together->counters().migrated, 20) << feature.name;
    }
  }
}

// Steps taken apart, too, whose halves travel as whole ones do.
TEST_P(EngineRanksBitwise, TakenApartHaveTheBitsOfOneRank) {
  for (const BitwiseFeature& feature : bitwiseFeatures) {
    const System system = feature.make(GetParam());
    const auto together = onAllRanks(system);
    together->add(std::make_unique<Between>(*together->populations().front(), 3));
    EXPECT_EQ(bitsAfter(*together, 60), bitsByTheRoot([&] { return bitsAfter(*system.engine(), 60); })) << feature.name;
  }
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, EngineRanksBitwise, testing::ValuesIn(allPrecisions),
                         [](const auto& of) { return titleOf(of.param); });

}  // namespace
}  // namespace mesowarp::test
