// What methods add to the grammar, what they keep of a deck for themselves, and decks of several methods.
#include <gmock/gmock.h>

#include "input/estimate.hpp"
#include "input/method.hpp"
#include "input/schema.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/nbody/deck/body_blocks.hpp"
#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

using testing::ElementsAre;

struct Spin {
  double rate = 0.5;
};
struct Colour {
  std::string name = "red";
};

TEST(InputOwn, HoldsOneValueOfEachType) {
  Own own;
  const Own& fixed = own;
  EXPECT_EQ(fixed.get<Spin>().rate, 0.5);
  own.get<Spin>().rate = 2.0, own.get<Colour>().name = "blue";
  EXPECT_EQ(fixed.get<Spin>().rate, 2.0);
  Own copy = own;
  copy.get<Spin>().rate = 3.0;
  EXPECT_EQ(fixed.get<Spin>().rate, 2.0);
  EXPECT_EQ(copy.get<Colour>().name, "blue");
}

Block<Interaction> sample() {
  return {{"interaction", true, false, "", "About."},
          {word("style", &Interaction::style, {"a", "b"}).means("a: one"),
           bind(Type::number, "cutoff", &Interaction::cutoff).only("style", {"a"}),
           bind(Type::number, "cutoff", &Interaction::cutoff).only("style", {"b"}),
           bind(Type::number, "sigma", &Interaction::sigma)}};
}

TEST(InputBlock, MethodsAddKeysWordsAndText) {
  Block<Interaction> block = sample();
  block.add(inOwn<Interaction>(bind(Type::number, "rate", &Spin::rate)), "cutoff");
  EXPECT_THAT(block.keys(), ElementsAre("style", "cutoff", "rate", "sigma"));
  Interaction interaction;
  block.fields[3].set(interaction, 4.0);
  EXPECT_EQ(interaction.own.get<Spin>().rate, 4.0);
  EXPECT_EQ(std::get<double>(block.fields[3].get(interaction)), 4.0);
  block.addChoices("style", {"c"}, "; c: three", "a");
  EXPECT_THAT(block.fields[0].choices, ElementsAre("a", "c", "b"));
  EXPECT_EQ(block.fields[0].about, "a: one; c: three");
  block.alsoFor("cutoff", "style", "b", {"c"});
  EXPECT_THAT(block.fields[1].when[0].values, ElementsAre("a"));
  EXPECT_THAT(block.fields[2].when[0].values, ElementsAre("b", "c"));
  block.say("style", ", more", "; c: three");
  EXPECT_EQ(block.fields[0].about, "a: one, more; c: three");
}

TEST(InputBlock, WhatIsNotThereIsTheProgrammersError) {
  Block<Interaction> block = sample();
  EXPECT_THROW(block.add(bind(Type::number, "gamma", &Interaction::gamma), "epsilon"), std::logic_error);
  EXPECT_THROW(block.addChoices("kind", {"c"}, ""), std::logic_error);
  EXPECT_THROW(block.alsoFor("cutoff", "style", "d", {"c"}), std::logic_error);
  EXPECT_THROW(block.alsoFor("sigma", "style", "", {"c"}), std::logic_error);
  EXPECT_THROW(block.say("style", "more", "no such end"), std::logic_error);
}

// A deck that no parser lets through, since bodies stand alone: it is what is asked of two methods at once.
Deck mixedDeck() {
  Deck deck = deckOf(minimalDeck);
  Population stars;
  stars.name = "stars", stars.kind = "bodies", stars.species = "star", stars.count = 100;
  deck.populations.push_back(stars);
  deck.species.push_back("star");
  return deck;
}

TEST(InputMethods, EachHasItsPopulations) {
  const Deck deck = mixedDeck();
  EXPECT_THAT(methodsOf(deck), ElementsAre(&fluid::fluidBlocks(), &nbody::bodyBlocks()));
  EXPECT_THAT(populationsOf(deck, nbody::bodyBlocks()), ElementsAre(&deck.populations[1]));
  EXPECT_THAT(populationsOf(deck, fluid::fluidBlocks()), ElementsAre(&deck.populations[0]));
  EXPECT_THAT(methodsOf(Deck{}), ElementsAre(methodBlocks().front()));
  EXPECT_EQ(kindOwner("none such"), nullptr);
}

TEST(InputMethods, ABlockIsForAnyOfThem) {
  const BlockInfo box = schemaOf<BoxBlock>(), sums = *nbody::bodyBlocks().ownBlocks().front();
  EXPECT_TRUE(isFor({&fluid::fluidBlocks()}, box));
  EXPECT_FALSE(isFor({&nbody::bodyBlocks()}, box));
  EXPECT_FALSE(isFor({&fluid::fluidBlocks()}, sums));
  EXPECT_TRUE(isFor(methodsOf(mixedDeck()), box));
  EXPECT_TRUE(isFor(methodsOf(mixedDeck()), sums));
}

TEST(InputMethods, CostsAddUp) {
  const Deck mixed = mixedDeck(), fluid = deckOf(minimalDeck);
  Deck bodies = mixed;
  bodies.populations.erase(bodies.populations.begin());
  const Estimate a = estimate(fluid), b = estimate(bodies), both = estimate(mixed);
  EXPECT_EQ(b.particles, 100);
  EXPECT_EQ(both.particles, a.particles + b.particles);
  EXPECT_DOUBLE_EQ(both.memoryBytes, a.memoryBytes + b.memoryBytes);
  EXPECT_DOUBLE_EQ(both.secondsPerStep, a.secondsPerStep + b.secondsPerStep);
  EXPECT_DOUBLE_EQ(both.pairsPerParticle, (static_cast<double>(a.particles) * a.pairsPerParticle + 100.0 * 99.0) /
                                              static_cast<double>(both.particles));
}

}  // namespace
}  // namespace mesowarp::input::test
