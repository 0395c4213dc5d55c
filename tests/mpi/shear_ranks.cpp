// A sheared box on several ranks: the bits of one with `bitwise`, forces among images without.
#include <gtest/gtest.h>

#include "on_all_ranks.hpp"
#include "tests/unit/shear/shear_systems.hpp"
#include "tests/unit/support/test_bitwise.hpp"

namespace mesowarp::test {
namespace {

class EngineRanksSheared : public testing::TestWithParam<input::Precision> {};

// The longest edge, along which ranks are cut first, is the gradient's or the third's.
System bitwiseSheared(input::Precision precision, input::RebuildStyle rebuild, int gradient) {
  System s = shearedFluid(precision, 1.2, true, 2, gradient);
  s.deck.run.reproducibility = input::Reproducibility::bitwise;
  s.deck.sums = {input::Accumulator::narumi, 65536.0};
  s.deck.neighbor.rebuild = rebuild;
  return s;
}

TEST_P(EngineRanksSheared, HaveTheBitsOfOneRank) {
  for (const auto rebuild : {input::RebuildStyle::displacement, input::RebuildStyle::every})
    for (const int gradient : {0, 1}) {
      const System system = bitwiseSheared(GetParam(), rebuild, gradient);
      const auto together = onAllRanks(system);
      EXPECT_EQ(bitsAfter(*together, 90), bitsByTheRoot([&] { return bitsAfter(*system.engine(), 90); })) << gradient;
      EXPECT_GT(together->counters().migrated, 20);
    }
}

TEST_P(EngineRanksSheared, HaveTheForcesAmongImages) {
  const System s = shearedFluid(GetParam(), -2.5, false, 1, 0);
  const auto engine = onAllRanks(s);
  i64 done = -1;
  for (const i64 step : {0, 33, 121}) {
    advance(*engine, done + 1, step, everything);
    done = step;
    const io::Snapshot part = engine->snapshot(step);
    // Each rank has a block of the tags; all of them for the sum over pairs.
    io::Snapshot all = part;
    const auto gather = [](const auto& values) {
      return world().toEach(
          std::vector<std::remove_cvref_t<decltype(values)>>(static_cast<std::size_t>(world().size()), values));
    };
    all.position = gather(part.position), all.species = gather(part.species), all.tag = gather(part.tag);
    const auto expected = forcesAmongImages(s, all);
    double worst = 0.0;
    for (std::size_t k = 0; k < part.force.size(); ++k)
      worst = std::max(worst, std::abs(part.force[k] - expected[static_cast<std::size_t>(part.first) + k / 3][k % 3]));
    EXPECT_LT(worst, GetParam() == input::Precision::double_ ? 1e-9 : 5e-4) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, EngineRanksSheared, testing::ValuesIn(allPrecisions),
                         [](const auto& instance) { return titleOf(instance.param); });

}  // namespace
}  // namespace mesowarp::test
