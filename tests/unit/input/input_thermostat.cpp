// Fluctuation and dissipation, cutoffs that follow, and the other defaults that depend on the deck.
#include <cmath>
#include <gmock/gmock.h>

#include "input/complete.hpp"
#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string water(const std::string& thermostat, const std::string& run = "") {
  return with(with(minimalDeck, "gamma = 4.5", thermostat), "[run]", "[run]\n" + run);
}

TEST(InputThermostat, AnyTwoGiveTheThird) {
  EXPECT_DOUBLE_EQ(deckOf(water("gamma = 4.5")).interactions[0].sigma, 3.0);
  EXPECT_DOUBLE_EQ(deckOf(water("sigma = 3.0")).interactions[0].gamma, 4.5);
  EXPECT_DOUBLE_EQ(deckOf(water("sigma = 3.0", "temperature = 0.5")).interactions[0].gamma, 9.0);
  const Deck inferred = deckOf(water("sigma = 3.0\ngamma = 9.0"));
  EXPECT_DOUBLE_EQ(inferred.run.temperature, 0.5);
  EXPECT_DOUBLE_EQ(inferred.populations[0].temperature, 0.5);
  EXPECT_THAT(errorsOf(water("sigma = 3.0\ngamma = 4.5", "temperature = 1.0")), IsEmpty());
  EXPECT_THAT(errorsOf(water("sigma = 3.000001\ngamma = 4.5", "temperature = 1.0")), IsEmpty());
}

TEST(InputThermostat, ColdFluidsHaveFrictionWithoutNoise) {
  EXPECT_EQ(deckOf(water("gamma = 4.5", "temperature = 0")).interactions[0].sigma, 0.0);
  EXPECT_EQ(deckOf(water("gamma = 4.5\nsigma = 0", "temperature = 0")).interactions[0].gamma, 4.5);
  EXPECT_EQ(deckOf(water("gamma = 0")).interactions[0].sigma, 0.0);
  EXPECT_EQ(deckOf(water("gamma = 4.5\nsigma = 0")).run.temperature, 0.0);
}

TEST(InputThermostat, DisagreementStatesWhatWouldAgree) {
  EXPECT_THAT(
      errorsOf(water("gamma = 4.5\nsigma = 3.5", "temperature = 1.0")),
      ElementsAre(
          "deck.toml:18:9: gamma = 4.5 and sigma = 3.5 do not fit run.temperature = 1: sigma^2 = 2 gamma k_BT asks for "
          "sigma = 3 or gamma = 6.125; they belong to k_BT = 1.36111111; or leave one of the two out"));
  EXPECT_THAT(errorsOf(water("sigma = 3.5", "temperature = 0.0")),
              ElementsAre(HasSubstr("deck.toml:17:9: sigma = 3.5 at run.temperature = 0")));
  EXPECT_THAT(errorsOf(water("")), ElementsAre("deck.toml:14:1: [[interaction]] of style \"dpd\" needs gamma "
                                               "(friction, mass / time) or sigma (noise amplitude)"));
  const std::string two = with(fullDeck, "temperature = 0.5\n", "");
  EXPECT_THAT(
      errorsOf(with(with(two, "sigma = 2.0", "sigma = 2.0\ngamma = 4.0"), "gamma = 4\n", "gamma = 4\nsigma = 2.5\n")),
      ElementsAre(HasSubstr("do not fit the first interaction with both, which gives k_BT = 0.5")));
}

TEST(InputThermostat, LennardJonesCutoffs) {
  EXPECT_DOUBLE_EQ(deckOf(argonDeck).interactions[0].sigma, 1.0);
  EXPECT_DOUBLE_EQ(deckOf(argonDeck).interactions[0].cutoff, 2.5);
  EXPECT_DOUBLE_EQ(deckOf(argonDeck, {"interaction.0.sigma=1.2", "interaction.0.cutoff=3"}).interactions[0].cutoff,
                   3.0);
  EXPECT_DOUBLE_EQ(deckOf(argonDeck, {"interaction.0.style=wca", "interaction.0.sigma=1.2"}).interactions[0].cutoff,
                   1.2 * std::pow(2.0, 1.0 / 6.0));
}

TEST(InputDefaults, OfTheIntegrator) {
  EXPECT_EQ(deckOf(minimalDeck).integrator.lambda, 0.5);
  EXPECT_EQ(deckOf(minimalDeck, {"integrator.style=groot-warren"}).integrator.lambda, 0.65);
  EXPECT_EQ(deckOf(minimalDeck, {"integrator.style=groot-warren", "integrator.lambda=0.5"}).integrator.lambda, 0.5);
}

TEST(InputDefaults, OutputsOfADeckWithoutAny) {
  const Deck deck = deckOf(minimalDeck);
  ASSERT_EQ(deck.outputs.size(), 2u);
  EXPECT_EQ(deck.outputs[0].format, OutputFormat::table);
  EXPECT_EQ(deck.outputs[0].every, 500);
  EXPECT_FALSE(deck.outputs[0].columns.empty());
  EXPECT_EQ(deck.outputs[1].format, OutputFormat::checkpoint);
  EXPECT_EQ(deck.outputs[1].every, 0);
  EXPECT_TRUE(deck.outputs[1].at_end);
  EXPECT_EQ(deckOf(minimalDeck, {"run.steps=0"}).outputs[0].every, 1);
}

TEST(InputDefaults, IntervalsAreRound) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> cases{
      {0, 1},    {19, 1},      {40, 2},
      {99, 2},   {100, 5},     {200, 10},
      {399, 10}, {12345, 500}, {1000000000000000, 50000000000000}};
  for (const auto& [steps, every] : cases) EXPECT_EQ(roundInterval(steps, 20), every) << steps;
}

TEST(InputDefaults, FacesCombineBoundaries) {
  const Deck deck = deckOf(fullDeck);
  EXPECT_EQ(deck.faces[0][0], FaceStyle::periodic);
  EXPECT_EQ(deck.faces[2][0], FaceStyle::bounce_back);
  EXPECT_EQ(deck.faces[2][1], FaceStyle::bounce_forward);
}

TEST(InputDefaults, PolymersWithoutLettersNameSpeciesByLetter) {
  const std::string deck =
      with(with(fullDeck, "letters = { H = \"head\", T = \"tail\" }\n", ""), "[\"tail\", \"W\"]", "[\"T\", \"W\"]");
  EXPECT_THAT(deckOf(with(deck, "[\"head\", \"head\"]", "[\"H\", \"H\"]")).species, ElementsAre("W", "H", "T"));
}

TEST(InputDefaults, FilesAreRelativeToTheDeck) {
  const std::string text = with(minimalDeck, "density = 3.0", "initial = \"file\"\nfile = \"../start.data\"");
  EXPECT_EQ(parseDeckText(text, "/some/where/deck.toml").deck.populations.at(0).file, "/some/start.data");
  EXPECT_EQ(parseDeckText(with(text, "../start", "/tmp/start"), "/some/deck.toml").deck.populations.at(0).file,
            "/tmp/start.data");
}

TEST(InputDefaults, SourcesTellWhereAValueStands) {
  const Deck deck = deckOf(minimalDeck, {"run.seed=5"});
  EXPECT_EQ(sourceOf(deck, "interaction.0.gamma").line, 16);
  EXPECT_EQ(sourceOf(deck, "interaction.0.gamma").column, 9);
  EXPECT_EQ(sourceOf(deck, "interaction.0.sigma").line, 13);
  EXPECT_EQ(sourceOf(deck, "run.seed").option, "--set run.seed=5");
  EXPECT_EQ(sourceOf(deck, "neighbor.skin").line, 0);
  EXPECT_EQ(deck.populations[0].where.line, 8);
}

}  // namespace
}  // namespace mesowarp::input::test
