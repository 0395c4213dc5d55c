// Decks of bodies: what they need, what they cannot have, and what is refused with its place.
#include <gmock/gmock.h>

#include "physics/nbody/deck/body_deck.hpp"
#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string clusterDeck = R"([run]
steps = 100
timestep = 0.01

[[population]]
name = "stars"
kind = "bodies"
species = "star"
initial = "plummer"
count = 64
total_mass = 1.0

[[interaction]]
between = "*"
style = "gravity"
)";

const std::string saltDeck = R"([run]
steps = 100
timestep = 0.002
precision = "single"
[integrator]
style = "langevin"
friction = 1.0
[nbody]
accumulator = "narumi"
range = 1e5
exclude = "afterwards"
[electrostatics]
dielectric = "sigmoidal"
constant = 332.0
alpha = 1e-3
beta = -1e-2
gamma = 0.5
delta = 0.1
[[population]]
name = "ions"
kind = "bodies"
species = "Na"
initial = "lattice"
count = 100
spacing = 1.2
charge = 1.0
center = [0.5, 0, 0]
[[interaction]]
between = ["Na", "Na"]
style = "lj-coulomb"
epsilon = 0.5
sigma = 1.1
)";

Accumulator sumsOf(const Deck& deck) { return deck.own.get<nbody::NbodyBlock>().accumulator; }

TEST(InputBodies, DefaultsFollowFromTheRest) {
  EXPECT_THAT(physicsOf(clusterDeck), IsEmpty());
  const Deck deck = deckOf(clusterDeck);
  EXPECT_EQ(sumsOf(deck), Accumulator::takahashi_iitaka);
  EXPECT_EQ(sumsOf(deckOf(clusterDeck, {"run.precision=single"})), Accumulator::single);
  EXPECT_EQ(sumsOf(deckOf(clusterDeck, {"run.precision=double"})), Accumulator::double_);
  EXPECT_EQ(deck.populations[0].mass, 1.0 / 64.0);
  EXPECT_EQ(deck.populations[0].temperature, 0.0);
  EXPECT_EQ(deckOf(saltDeck).populations[0].temperature, 1.0);
  EXPECT_THAT(deck.outputs[0].columns, Contains("virial_ratio"));
  EXPECT_THAT(deck.resolved, Not(HasSubstr("[box]")));
  EXPECT_THAT(deck.resolved, Not(HasSubstr("[neighbor]")));
}

TEST(InputBodies, BitwiseTakesFixedPointAlone) {
  const std::string bitwise = "run.reproducibility=bitwise";
  for (const char* precision : {"run.precision=single", "run.precision=mixed", "run.precision=double"}) {
    EXPECT_EQ(sumsOf(deckOf(clusterDeck, {bitwise, precision})), Accumulator::narumi);
    EXPECT_THAT(physicsOf(clusterDeck, {bitwise, precision}), IsEmpty());
    EXPECT_THAT(physicsOf(deckOf(clusterDeck, {bitwise, precision}).resolved), IsEmpty());
  }
  const std::string sums =
      with(with(clusterDeck, "timestep = 0.01\n", "timestep = 0.01\nreproducibility = \"bitwise\"\n"), "[[population]]",
           "[nbody]\naccumulator = \"double-sum\"\n[[population]]");
  EXPECT_THAT(physicsOf(sums),
              ElementsAre("deck.toml:7:15: reproducibility = \"bitwise\" needs sums whose order cannot matter: "
                          "accumulator = \"narumi\", or leave it out"));
  EXPECT_THAT(physicsOf(clusterDeck, {bitwise, "run.precision=double", "nbody.accumulator=double"}),
              ElementsAre(HasSubstr("order cannot matter")));
}

TEST(InputBodies, RanksHaveNoPartsOfABox) {
  EXPECT_THAT(errorsOf(clusterDeck + "[parallel]\nranks = [2, 1, 1]\n"),
              ElementsAre(HasSubstr("[parallel] is not for bodies")));
}

// The resolved deck says the same, and passes the checks.
TEST(InputBodies, ResolvedDecksReadBack) {
  for (const auto& text :
       {clusterDeck, saltDeck,
        with(clusterDeck, "[[population]]", "[integrator]\nstyle = \"hermite-block\"\n[[population]]")}) {
    const Deck deck = deckOf(text);
    expectSameDeck(deck, deckOf(deck.resolved));
    EXPECT_THAT(physicsOf(deck.resolved), IsEmpty());
  }
}

TEST(InputBodies, OtherBlocksAreRefused) {
  EXPECT_THAT(errorsOf("[box]\nsize = [1, 1, 1]\n" + clusterDeck),
              ElementsAre("deck.toml:1:1: [box] is not for bodies, which have no box: leave it out"));
  EXPECT_THAT(errorsOf(clusterDeck + "[[drive]]\nacceleration = [1, 0, 0]\n"),
              ElementsAre(HasSubstr("[[drive]] is not for bodies")));
  EXPECT_THAT(errorsOf(clusterDeck + "[[measure]]\naxis = \"x\"\n"),
              ElementsAre(HasSubstr("[[measure]] is not for bodies")));
  EXPECT_THAT(errorsOf(minimalDeck + "[nbody]\naccumulator = \"narumi\"\n"),
              ElementsAre(HasSubstr("[nbody] is for populations of kind = \"bodies\"")));
  EXPECT_THAT(errorsOf(clusterDeck + "[[population]]\nname = \"water\"\nspecies = \"star\"\ncount = 10\n"),
              ElementsAre(HasSubstr("bodies and other kinds cannot be in one deck")));
}

TEST(InputBodies, StylesBelongToAMethod) {
  EXPECT_THAT(errorsOf(with(clusterDeck, "\"gravity\"", "\"lj\"")),
              ElementsAre("deck.toml:15:9: style = \"lj\" is not for bodies: \"gravity\" or \"lj-coulomb\""));
  EXPECT_THAT(errorsOf(with(minimalDeck, "a = 25.0\ngamma = 4.5", "style = \"gravity\"")),
              ElementsAre(HasSubstr("style = \"gravity\" is for populations of kind = \"bodies\"")));
  EXPECT_THAT(errorsOf(with(minimalDeck, "[box]", "[integrator]\nstyle = \"hermite\"\n[box]")),
              ElementsAre(HasSubstr("this style is for populations of kind = \"bodies\"")));
  EXPECT_THAT(errorsOf(clusterDeck + "[integrator]\nstyle = \"groot-warren\"\n"),
              ElementsAre(HasSubstr("not for bodies")));
  EXPECT_THAT(errorsOf(clusterDeck, {"population.0.initial=plumer"}),
              ElementsAre(HasSubstr("did you mean \"plummer\"?")));
  EXPECT_THAT(errorsOf(clusterDeck + "[[output]]\nformat = \"table\"\ncolumns = [\"pressure\"]\n"),
              ElementsAre(HasSubstr("the table of bodies has no \"pressure\"")));
  EXPECT_THAT(errorsOf(minimalDeck + "[[output]]\nformat = \"table\"\ncolumns = [\"virial_ratio\"]\n"),
              ElementsAre(HasSubstr("the table of particles in a box has no \"virial_ratio\"")));
}

TEST(InputBodies, CombinationsThatDoNotExistAreRefused) {
  EXPECT_THAT(physicsOf(clusterDeck, {"nbody.accumulator=nitadori"}),
              ElementsAre(HasSubstr("precision = \"mixed\" takes")));
  EXPECT_THAT(physicsOf(clusterDeck, {"nbody.accumulator=single", "run.precision=double"}),
              ElementsAre(HasSubstr("takes accumulator = \"double\" or \"narumi\"")));
  EXPECT_THAT(physicsOf(clusterDeck, {"nbody.accumulator=narumi", "run.precision=double"}), IsEmpty());
  EXPECT_THAT(physicsOf(clusterDeck, {"nbody.accumulator=double", "run.precision=single"}),
              ElementsAre(HasSubstr("is for precision = \"double\"")));
  EXPECT_THAT(physicsOf(clusterDeck, {"nbody.range=1"}), ElementsAre(HasSubstr("range is for")));
  EXPECT_THAT(physicsOf(with(saltDeck, "style = \"langevin\"\nfriction = 1.0", "style = \"hermite\"")),
              ElementsAre(HasSubstr("needs the jerk")));
  EXPECT_THAT(physicsOf(clusterDeck + "[integrator]\nstyle = \"langevin\"\nfriction = 1\n"),
              ElementsAre(HasSubstr("stars have no thermostat")));
  EXPECT_THAT(physicsOf(saltDeck, {"electrostatics.alpha=-1"}), ElementsAre(HasSubstr("would fall to zero")));
  EXPECT_THAT(physicsOf(with(saltDeck, "alpha = 1e-3", "alpha = 0")), ElementsAre(HasSubstr("would fall to zero")));
  EXPECT_THAT(physicsOf(clusterDeck, {"population.0.charge=1"}), ElementsAre(HasSubstr("gravity knows no charges")));
  EXPECT_THAT(physicsOf(clusterDeck, {"population.0.exclusions=\"nowhere.txt\""}),
              Contains(HasSubstr("gravity knows no exclusions")));
  EXPECT_THAT(physicsOf(saltDeck, {"population.0.exclusions=\"nowhere.txt\""}),
              ElementsAre(HasSubstr("there is no file")));
  EXPECT_THAT(physicsOf(with(clusterDeck, "initial = \"plummer\"\ncount = 64\ntotal_mass = 1.0\n", "count = 64\n")),
              Contains(HasSubstr("bodies have no box to be random in")));
  EXPECT_THAT(errorsOf(clusterDeck, {"population.0.mass=2"}), ElementsAre(HasSubstr("give one of the two")));
  EXPECT_THAT(physicsOf(clusterDeck +
                        "[[population]]\nname = \"more\"\nkind = \"bodies\"\nspecies = \"planet\"\ninitial = "
                        "\"sphere\"\ncount = 9\n[[interaction]]\nbetween = [\"star\", \"planet\"]\nstyle = "
                        "\"gravity\"\nsoftening = 0.1\n"),
              ElementsAre(HasSubstr("gravity is the same between all bodies")));
}

}  // namespace
}  // namespace mesowarp::input::test
