// How far forces and bonds ever reach, where a [[schedule]] changes them.
#include "input/molecules/molecule_blocks.hpp"
#include "input/species.hpp"
#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

const std::string chains = R"([run]
steps = 100
timestep = 0.005
[box]
size = [20.0, 20.0, 20.0]
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAA"
count = 10
bond_length = 0.97
[[interaction]]
between = "*"
style = "wca"
[[bond]]
population = "chains"
style = "fene"
k = 30.0
r_max = 1.5
[[angle]]
population = "chains"
k = 5.0
)";

std::string schedule(const std::string& key, const std::string& values) {
  return "[[schedule]]\nkey = \"" + key + "\"\nsteps = [0, 10, 20]\nvalues = " + values + "\n";
}

TEST(InputReaches, AreThoseOfTheLargestNumbers) {
  const Deck plain = deckOf(chains);
  EXPECT_DOUBLE_EQ(largestCutoff(plain), 1.1224620483093729814);
  EXPECT_DOUBLE_EQ(ghostReach(plain), 2 * 0.8 * 1.5);
  EXPECT_DOUBLE_EQ(longestBond(plain), 1.5);
  const Deck wide = deckOf(chains + schedule("interaction.0.sigma", "[1.0, 1.5, 0.8]"));
  EXPECT_DOUBLE_EQ(largestCutoff(wide), 1.5 * 1.1224620483093729814);
  EXPECT_DOUBLE_EQ(ghostReach(wide), ghostReach(plain));
  const Deck longer = deckOf(chains + schedule("bond.0.r_max", "[1.5, 1.2, 2.5]"));
  EXPECT_DOUBLE_EQ(largestCutoff(longer), largestCutoff(plain));
  EXPECT_DOUBLE_EQ(ghostReach(longer), 2 * 0.8 * 2.5);
  EXPECT_DOUBLE_EQ(longestBond(longer), 2.5);
}

TEST(InputReaches, AreTheDecksOwnWhereTheyAreLarger) {
  const Deck shrinks = deckOf(chains + schedule("interaction.0.sigma", "[0.9, 0.8, 0.7]"));
  EXPECT_DOUBLE_EQ(largestCutoff(shrinks), 1.1224620483093729814);
}

// Pairs are known as far as forces act: one that a later one replaces acts nowhere, one of another family everywhere.
TEST(InputReaches, OfWhatIsReplacedDoNotCount) {
  const std::string own = "[[interaction]]\nbetween = [\"A\", \"A\"]\nstyle = \"wca\"\nsigma = 0.5\n";
  const std::string soft = "[[interaction]]\nbetween = \"*\"\na = 1.0\ngamma = 1.0\ncutoff = 2.0\n";
  const auto withWarnings = [](const std::string& text) { return parseDeckText(text, "deck.toml", {}).deck; };
  EXPECT_DOUBLE_EQ(largestCutoff(withWarnings(chains + own)), 0.5 * 1.1224620483093729814);
  EXPECT_DOUBLE_EQ(largestCutoff(withWarnings(chains + own + soft)), 2.0);
  Deck unknown = withWarnings(chains + own);
  unknown.species.clear();
  EXPECT_DOUBLE_EQ(largestCutoff(unknown), 1.1224620483093729814);
}

TEST(InputReaches, OfDecksWithErrorsLeaveOutWhatIsWrong) {
  for (const auto* values : {"[1.5]", "[1.5, 1.6]"})
    EXPECT_DOUBLE_EQ(largestCutoff(deckOf(chains + schedule("interaction.0.sigma", values))), 1.1224620483093729814);
  EXPECT_DOUBLE_EQ(largestCutoff(deckOf(chains + schedule("interaction.7.sigma", "[1.0, 1.5, 2.0]"))),
                   1.1224620483093729814);
}

}  // namespace
}  // namespace mesowarp::input::test
