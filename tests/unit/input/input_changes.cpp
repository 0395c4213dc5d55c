// What a deck differs in from that of a checkpoint.
#include <gmock/gmock.h>

#include "input/grammar/changes.hpp"
#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> changes(const std::string& before, const std::string& now) {
  return changesOf(deckOf(before).resolved, deckOf(now).resolved);
}

TEST(InputChanges, MoreStepsAreNone) {
  EXPECT_THAT(changes(fullDeck, fullDeck), IsEmpty());
  EXPECT_THAT(changesOf("[run]\nsteps = 5\nseed = 1\n", "[run]\nsteps = 9\nseed = 1\n"), IsEmpty());
}

TEST(InputChanges, AreToldWithTheirBlock) {
  EXPECT_THAT(changesOf("[run]\nseed = 1\n[relaxation]\nsteps = 5\n", "[run]\nseed = 2\n[relaxation]\nsteps = 9\n"),
              ElementsAre("[run] seed: 1 -> 2", "[relaxation] steps: 5 -> 9"));
}

constexpr const char* two =
    "[[interaction]]\nstyle = \"dpd\"\na = 25.0\n[[interaction]]\nstyle = \"many-body\"\nb = 25.0\n"
    "cutoff = 0.75\n";

// Lines were once compared by their numbers, and keys of one with other keys.
TEST(InputChanges, KeysThatComeAndGoAreToldAsThat) {
  const std::string now = "[[interaction]]\nstyle = \"dpd\"\na = 25.0\n[[interaction]]\nstyle = \"soft\"\nA = 1.0\n"
                          "cutoff = 0.75\n";
  EXPECT_THAT(changesOf(two, now), ElementsAre("[[interaction]] 2 style: \"many-body\" -> \"soft\"",
                                               "[[interaction]] 2 A is new: 1.0", "[[interaction]] 2 b is gone: 25.0"));
}

TEST(InputChanges, BlocksThatComeAndGoLeaveTheOthersAlone) {
  const std::string first = "[[interaction]]\nstyle = \"lj\"\nepsilon = 1.0\n";
  EXPECT_THAT(changesOf(two, first + two), ElementsAre("[[interaction]] 1 is new (style = \"lj\")"));
  EXPECT_THAT(changesOf(first + two, two), ElementsAre("[[interaction]] 1 is gone (style = \"lj\")"));
  EXPECT_THAT(changesOf(two, ""), ElementsAre("[[interaction]] 1 is gone (style = \"dpd\")",
                                              "[[interaction]] 2 is gone (style = \"many-body\")"));
}

TEST(InputChanges, NamesBelongTogether) {
  const std::string walls = "[[wall]]\nname = \"a\"\nfriction = 1.0\n[[wall]]\nname = \"b\"\nfriction = 2.0\n";
  const std::string other = "[[wall]]\nname = \"c\"\nfriction = 3.0\n[[wall]]\nname = \"a\"\nfriction = 1.5\n"
                            "[[wall]]\nname = \"b\"\nfriction = 2.0\n";
  EXPECT_THAT(changesOf(walls, other),
              ElementsAre("[[wall]] 1 is new (name = \"c\")", "[[wall]] 2 friction: 1.0 -> 1.5"));
}

// A later block replaces an earlier one, so their order is part of a deck.
TEST(InputChanges, AnotherOrderIsOne) {
  const std::string turned = "[[interaction]]\nstyle = \"many-body\"\nb = 25.0\ncutoff = 0.75\n"
                             "[[interaction]]\nstyle = \"dpd\"\na = 25.0\n";
  EXPECT_THAT(changesOf(two, turned), ElementsAre("the [[interaction]] blocks are in another order"));
}

TEST(InputChanges, OfDecks) {
  EXPECT_THAT(changes(minimalDeck, with(minimalDeck, "a = 25.0", "a = 20.0")),
              ElementsAre("[[interaction]] 1 a: 25.0 -> 20.0"));
}

}  // namespace
}  // namespace mesowarp::input::test
