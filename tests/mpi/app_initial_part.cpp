// What ranks make of an initial state in pieces against the whole state, to the last bit.
#include <gtest/gtest.h>

#include "input/grammar/parse.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/fluid.hpp"
#include "start/initial_part.hpp"
#include "start/rank_part.hpp"

namespace mesowarp::test {
namespace {

const std::string front =
    "[run]\nsteps = 1\ntimestep = 0.01\nseed = 77\n[[interaction]]\nbetween = \"*\"\na = 25.0\ngamma = 4.5\n[box]\n"
    "size = [14.0, 11.0, 7.0]\nperiodic = [true, true, false]\n";
const char* const populations[] = {
    "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 2079\ninitial = \"lattice\"\n",
    "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 1283\n",
    "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 3\n",
    "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 1\n",
    "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 100\ntemperature = 0.0\n",
    "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 1001\ninitial = \"lattice\"\nvelocity = [0.5, 0.0, -1.0]\n"
    "[[population]]\nname = \"r\"\nspecies = \"C\"\ncount = 777\ntemperature = 0.3\nmass = 0.7\n",
    "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 1001\nvelocity = [0.5, 0.0, -1.0]\n"
    "[[population]]\nname = \"r\"\nspecies = \"C\"\ncount = 777\nmass = 0.7\ninitial = \"lattice\"\n"};

TEST(MpiInitialPart, IsTheWholeStatesPartToTheLastBit) {
  const comm::Communicator ranks;
  for (const char* population : populations) {
    const auto parsed = input::parseDeckText(front + population, "deck.toml");
    for (const auto& d : parsed.diagnostics) ASSERT_TRUE(d.warning) << d.message;
    const Populations all = input::populationsOf(parsed.deck, fluid::fluidBlocks());
    ASSERT_TRUE(madeInPieces(all));
    HostParticles expected = makeInitialState(parsed.deck);
    ASSERT_EQ(particlesOf(parsed.deck, all), expected.count());
    const RankPart part = rankPart(parsed.deck, ranks, expected.count());
    expected.keep(part.domain);
    EXPECT_EQ(ranks.sum(i64{expected.count()}), part.allParticles);
    for (const i64 share : {0, 64, 101}) {
      const HostParticles got = makeInitialPart(parsed.deck, all, part, share);
      EXPECT_TRUE(got.tag == expected.tag) << population << share;
      EXPECT_TRUE(got.position == expected.position) << population << share;
      EXPECT_TRUE(got.velocity == expected.velocity) << population << share;
      EXPECT_TRUE(got.species == expected.species) << population << share;
    }
  }
}

// What keep() leaves against a loop over all particles; enough of them for several of its pieces.
TEST(MpiInitialPart, KeepsWhatIsInTheDomain) {
  const comm::Communicator ranks;
  const auto parsed =
      input::parseDeckText(front + "[[population]]\nname = \"w\"\nspecies = \"A\"\ncount = 150001\n", "deck.toml");
  const HostParticles all = makeInitialState(parsed.deck);
  const RankPart part = rankPart(parsed.deck, ranks, all.count());
  HostParticles kept = all;
  kept.keep(part.domain);
  std::size_t k = 0;
  for (std::size_t i = 0; i < all.position.size(); ++i) {
    const auto& x = all.position[i];
    if (part.domain.owner({static_cast<u32>(x[0] >> 32), static_cast<u32>(x[1] >> 32), static_cast<u32>(x[2] >> 32)}) !=
        ranks.rank())
      continue;
    ASSERT_LT(k, kept.tag.size());
    ASSERT_EQ(kept.tag[k], i);
    ASSERT_EQ(kept.position[k], x);
    ASSERT_EQ(kept.velocity[k], all.velocity[i]);
    ASSERT_EQ(kept.species[k], all.species[i]);
    ++k;
  }
  EXPECT_EQ(k, kept.tag.size());
  EXPECT_EQ(k, static_cast<std::size_t>(kept.count()));
}

TEST(MpiInitialPart, LeavesChainsAndFilesToOthers) {
  const auto parsed =
      input::parseDeckText(front + populations[0] +
                               "[[population]]\nname = \"p\"\nkind = \"polymer\"\nblocks = \"AB\"\n"
                               "count = 10\nbond_length = 0.6\n[[bond]]\npopulation = \"p\"\nk = 40.0\n",
                           "deck.toml");
  EXPECT_FALSE(madeInPieces(input::populationsOf(parsed.deck, fluid::fluidBlocks())));
}

}  // namespace
}  // namespace mesowarp::test
