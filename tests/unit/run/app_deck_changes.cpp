// What a deck differs in from that of a checkpoint.
#include <gmock/gmock.h>

#include "run/deck_changes.hpp"
#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::test {
namespace {

std::vector<std::string> changes(const std::string& before, const std::string& now) {
  return changesOf(input::test::deckOf(before).resolved, input::test::deckOf(now).resolved);
}

TEST(DeckChanges, MoreStepsAreNone) {
  EXPECT_THAT(changes(input::test::fullDeck, input::test::fullDeck), testing::IsEmpty());
  EXPECT_THAT(changesOf("[run]\nsteps = 5\nseed = 1\n", "[run]\nsteps = 9\nseed = 1\n"), testing::IsEmpty());
}

TEST(DeckChanges, AreToldWithTheirBlock) {
  EXPECT_THAT(changesOf("[run]\nseed = 1\n[relaxation]\nsteps = 5\n", "[run]\nseed = 2\n[relaxation]\nsteps = 9\n"),
              testing::ElementsAre("[run] seed: 1 -> 2", "[relaxation] steps: 5 -> 9"));
}

constexpr const char* twoForces =
    "[[interaction]]\nstyle = \"dpd\"\na = 25.0\n[[interaction]]\nstyle = \"many-body\"\nb = 25.0\n"
    "cutoff = 0.75\n";

// Lines were once compared by their numbers, and keys of one with other keys.
TEST(DeckChanges, KeysThatComeAndGoAreToldAsThat) {
  const std::string now = "[[interaction]]\nstyle = \"dpd\"\na = 25.0\n[[interaction]]\nstyle = \"soft\"\nA = 1.0\n"
                          "cutoff = 0.75\n";
  EXPECT_THAT(changesOf(twoForces, now),
              testing::ElementsAre("[[interaction]] 2 style: \"many-body\" -> \"soft\"",
                                   "[[interaction]] 2 A is new: 1.0", "[[interaction]] 2 b is gone: 25.0"));
}

TEST(DeckChanges, BlocksThatComeAndGoLeaveTheOthersAlone) {
  const std::string first = "[[interaction]]\nstyle = \"lj\"\nepsilon = 1.0\n";
  EXPECT_THAT(changesOf(twoForces, first + twoForces),
              testing::ElementsAre("[[interaction]] 1 is new (style = \"lj\")"));
  EXPECT_THAT(changesOf(first + twoForces, twoForces),
              testing::ElementsAre("[[interaction]] 1 is gone (style = \"lj\")"));
  EXPECT_THAT(changesOf(twoForces, ""), testing::ElementsAre("[[interaction]] 1 is gone (style = \"dpd\")",
                                                             "[[interaction]] 2 is gone (style = \"many-body\")"));
}

TEST(DeckChanges, NamesBelongTogether) {
  const std::string walls = "[[wall]]\nname = \"a\"\nfriction = 1.0\n[[wall]]\nname = \"b\"\nfriction = 2.0\n";
  const std::string other = "[[wall]]\nname = \"c\"\nfriction = 3.0\n[[wall]]\nname = \"a\"\nfriction = 1.5\n"
                            "[[wall]]\nname = \"b\"\nfriction = 2.0\n";
  EXPECT_THAT(changesOf(walls, other),
              testing::ElementsAre("[[wall]] 1 is new (name = \"c\")", "[[wall]] 2 friction: 1.0 -> 1.5"));
}

// A later block replaces an earlier one, so their order is part of a deck.
TEST(DeckChanges, AnotherOrderIsOne) {
  const std::string turned = "[[interaction]]\nstyle = \"many-body\"\nb = 25.0\ncutoff = 0.75\n"
                             "[[interaction]]\nstyle = \"dpd\"\na = 25.0\n";
  EXPECT_THAT(changesOf(twoForces, turned), testing::ElementsAre("the [[interaction]] blocks are in another order"));
}

TEST(DeckChanges, OfDecks) {
  EXPECT_THAT(changes(input::test::minimalDeck, input::test::with(input::test::minimalDeck, "a = 25.0", "a = 20.0")),
              testing::ElementsAre("[[interaction]] 1 a: 25.0 -> 20.0"));
}

}  // namespace
}  // namespace mesowarp::test
