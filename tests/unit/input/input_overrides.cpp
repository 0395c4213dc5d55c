// --set on the command line.
#include <gmock/gmock.h>

#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

TEST(InputOverrides, ReplaceValues) {
  const Deck deck =
      deckOf(fullDeck,
             {"run.steps=500", "run.precision=single", "box.size=[30, 30, 30.5]", "run.title = two words",
              "population.0.density=4", "population.amphiphile.count=7", "interaction.1.a=1e2", "measure.0.window=2000",
              "bond.amphiphile.k=50", "output.table.every=0", "box.size.0=32", "output.table.at_end=true",
              "population.amphiphile.letters.H=hat", "interaction.2.between=[\"hat\", \"hat\"]"});
  EXPECT_EQ(deck.run.steps, 500);
  EXPECT_EQ(deck.run.precision, Precision::single);
  EXPECT_EQ(deck.run.title, "two words");
  EXPECT_EQ(deck.box.size, (std::array<double, 3>{32.0, 30.0, 30.5}));
  EXPECT_EQ(deck.populations[0].density, 4.0);
  EXPECT_EQ(deck.populations[1].count, 7);
  EXPECT_EQ(deck.interactions[1].a, 100.0);
  EXPECT_EQ(deck.measures[0].window, 2000);
  EXPECT_EQ(deck.bonds[0].k, 50.0);
  EXPECT_EQ(deck.outputs[1].every, 0);
  EXPECT_THAT(deck.species, ElementsAre("W", "hat", "tail"));
}

TEST(InputOverrides, TheLastOneWins) { EXPECT_EQ(deckOf(minimalDeck, {"run.steps=1", "run.steps=2"}).run.steps, 2); }

TEST(InputOverrides, MakeWhatTheDeckLacks) {
  const Deck deck =
      deckOf(minimalDeck, {"neighbor.skin=0.4", "run.seed=7", "output.0.format=table", "output.0.every=5"});
  EXPECT_EQ(deck.neighbor.skin, 0.4);
  EXPECT_EQ(deck.run.seed, 7u);
  ASSERT_EQ(deck.outputs.size(), 2u);
  EXPECT_EQ(deck.outputs[0].every, 5);
  EXPECT_EQ(deck.outputs[1].format, OutputFormat::checkpoint);
  EXPECT_TRUE(deck.outputs[1].at_end);
}

// A final checkpoint is written unless the deck says not to; asking for other outputs says nothing about it.
TEST(InputOverrides, AnotherOutputLeavesTheFinalCheckpoint) {
  const auto checkpoints = [](const std::vector<Override>& overrides) {
    std::vector<Output> found;
    for (const auto& output : deckOf(minimalDeck, overrides).outputs)
      if (output.format == OutputFormat::checkpoint) found.push_back(output);
    return found;
  };
  for (const std::vector<Override>& overrides : {std::vector<Override>{},
                                                 {"output.0.format=trajectory", "output.0.every=5"},
                                                 {"output.0.format=checkpoint", "output.0.every=7"}}) {
    const auto found = checkpoints(overrides);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].at_end);
  }
  const auto none = checkpoints({"output.0.format=checkpoint", "output.0.at_end=false"});
  ASSERT_EQ(none.size(), 1u);
  EXPECT_FALSE(none[0].at_end);
  EXPECT_EQ(none[0].every, 0);
}

TEST(InputOverrides, ErrorsNameTheOverride) {
  const std::vector<std::pair<Override, std::string>> cases{
      {"run.steps=abc", "steps: expected an integer from 0 to 1000000000000000, found the string \"abc\""},
      {"run.timestep=-1", "timestep: expected a number > 0 (time), found -1"},
      {"run.stpes=5", "unknown key \"stpes\" in [run]; did you mean \"steps\"?"},
      {"nieghbor.skin=1", "unknown block \"nieghbor\"; did you mean \"neighbor\"?"},
      {"population.watr.count=1", "there is no population named \"watr\"; did you mean \"water\"?"},
      {"population.3.count=1", "there is no population.3: population has 1, numbered from 0"},
      {"interaction.W.a=1", "there is no interaction named \"W\"; name it by its number, interaction.0"},
      {"run.steps.more=1", "run.steps is 10000 and has no \"more\""},
      {"steps=5", "expected BLOCK.KEY=VALUE; did you mean \"run.steps\"?"},
      {"run=5", "expected BLOCK.KEY=VALUE, and run is a block"},
      {"run.steps", "expected BLOCK.KEY=VALUE"},
      {"run..steps=5", "expected BLOCK.KEY=VALUE"},
      {"run.steps=", "there is no value after the ="},
      {"box.size=[1, 2", "the value is no valid TOML"},
      {"run.steps=1\n[box]\nsize=1",
       "steps: expected an integer from 0 to 1000000000000000, found the string \"1\\n[box]\\nsize=1\""}};
  for (const auto& [text, message] : cases)
    EXPECT_THAT(errorsOf(minimalDeck, {text}), ElementsAre("--set " + text + ": " + message));
}

TEST(InputOverrides, PhysicsErrorsNameTheOverrideToo) {
  EXPECT_THAT(physicsOf(minimalDeck, {"box.size=[2, 10, 10]"}),
              ElementsAre(StartsWith("--set box.size=[2, 10, 10]: box.size along x is 2")));
}

}  // namespace
}  // namespace mesowarp::input::test
