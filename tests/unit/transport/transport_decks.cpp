// Decks with transport: what follows from them, what is wrong with them, what they lead to expect.
#include <gmock/gmock.h>

#include "input/grammar/resolved.hpp"
#include "input/species.hpp"
#include "physics/transport/deck/transport_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

using namespace transport;
using testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::StartsWith;

const std::string tdpdDeck = R"([run]
steps = 100
timestep = 0.001
[box]
size = [10.0, 10.0, 10.0]
[transport]
solutes = ["A", "B", "C"]
reactions = ["A + B -> C : 0.5"]
[[population]]
name = "water"
species = "W"
density = 4.0
concentration = [1.0, 0.5, 0.0]
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = 4.5
cutoff = 1.58
exponent = 0.41
kappa = [5.0, 1.0, 0.0]
[[source]]
solute = "A"
rate = 0.1
region = "sphere"
center = [5.0, 5.0, 5.0]
radius = 2.0
[[concentration]]
solute = "B"
value = 2.0
gradient = [0.0, 0.0, 0.1]
[[output]]
format = "table"
every = 10
columns = ["time", "solutes"]
)";

TEST(TransportDecks, FillInWhatFollows) {
  EXPECT_THAT(physicsOf(tdpdDeck), IsEmpty());
  const Deck deck = deckOf(tdpdDeck);
  EXPECT_EQ(deck.interactions[0].own.get<FluxKeys>().cutoff, 1.58);
  EXPECT_EQ(deck.interactions[0].own.get<FluxKeys>().exponent, 2.0);
  EXPECT_DOUBLE_EQ(transportOf(deck).density, 4.0);
  EXPECT_EQ(transportOf(deck).fluxRange, 256.0);  // above 16 x 5 x 2.5
  EXPECT_EQ(sourcesOf(deck).at(0).radius, 2.0);
  EXPECT_EQ(initialConcentrationsOf(deck).at(0).gradient[2], 0.1);
  EXPECT_THAT(namedBy(deck, "solutes"), ElementsAre("total_A", "total_B", "total_C"));
  EXPECT_EQ(resolvedText(deckOf(deck.resolved)), deck.resolved);
  EXPECT_THAT(deckOf(minimalDeck).resolved, testing::Not(HasSubstr("[transport]")));
}

TEST(TransportDecks, FluxesReachAsFarAsTheyDo) {
  EXPECT_EQ(largestCutoff(deckOf(tdpdDeck)), 1.58);
  EXPECT_EQ(largestCutoff(deckOf(tdpdDeck, {"interaction.0.flux_cutoff=2.0"})), 2.0);
  EXPECT_EQ(largestCutoff(deckOf(tdpdDeck, {"interaction.0.flux_cutoff=1.0"})), 1.58);
}

TEST(TransportDecks, LieInOneFourOrDozens) {
  const auto layout = [](int solutes, bool random) {
    Deck deck;
    for (int k = 0; k < solutes; ++k) deck.own.get<TransportKeys>().solutes.push_back(std::to_string(k));
    deck.own.get<TransportKeys>().randomFlux = random;
    const Layout l = layoutOf(deck);
    return std::vector{l.width, l.stride, l.furtherDozens, l.randomFours};
  };
  EXPECT_THAT(layout(1, false), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(layout(1, true), ElementsAre(4, 4, 0, 1));
  EXPECT_THAT(layout(4, true), ElementsAre(4, 4, 0, 1));
  EXPECT_THAT(layout(5, true), ElementsAre(12, 12, 0, 2));
  EXPECT_THAT(layout(12, false), ElementsAre(12, 12, 0, 0));
  EXPECT_THAT(layout(13, false), ElementsAre(12, 24, 1, 0));
  EXPECT_THAT(layout(64, true), ElementsAre(12, 72, 5, 16));
}

// The paper's fluid (section 4.2), by hand: int r^2 (1 - r/r_c)^0.82 dr = r_c^3 2 / (1.82 2.82 3.82), int r^4 (1 -
// r/r_c)^2 dr = r_c^5 / 105.
TEST(TransportDecks, TellTheDiffusionCoefficient) {
  const Deck deck = deckOf(tdpdDeck);
  const double rc = 1.58, own = 3.0 / (4.0 * M_PI * 4.5 * 4.0 * (rc * rc * rc * 2.0 / (1.82 * 2.82 * 3.82)));
  const double fickian = 2.0 * M_PI / 3.0 * 5.0 * 4.0 * std::pow(rc, 5) / 105.0;
  EXPECT_NEAR(particleDiffusion(deck.interactions[0], 1.0, 4.0), own, 1e-12);
  EXPECT_NEAR(fickianDiffusion(deck.interactions[0], 0, 4.0), fickian, 1e-12);
  const auto lines = expectations(deck);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].first, "D of A");
  EXPECT_THAT(lines[0].second, HasSubstr(fmt::format("{:.4g} in W (Fickian {:.4g}", own + fickian, fickian)));
  // Groot & Warren (1997), Eq. 38 for s = 1: nu = 45 k_BT / (4 pi gamma rho r_c^3) + 2 pi gamma rho r_c^5 / 1575.
  Interaction standard;
  standard.gamma = 4.5;
  EXPECT_NEAR(kinematicViscosity(standard, 1.0, 3.0), 45.0 / (4.0 * M_PI * 13.5) + 2.0 * M_PI * 13.5 / 1575.0, 1e-12);
}

TEST(TransportDecks, SayWhatIsWrongAndWhere) {
  const auto errors = [](const std::string& from, const std::string& to) {
    return physicsOf(with(tdpdDeck, from, to));
  };
  EXPECT_THAT(errors("kappa = [5.0, 1.0, 0.0]", "kappa = [5.0, 1.0]"),
              ElementsAre("deck.toml:21:9: there are 2 numbers for 3 solutes: give one for each, or one for all"));
  EXPECT_THAT(errors("[1.0, 0.5, 0.0]", "[1.0, 0.5]"), ElementsAre(HasSubstr("deck.toml:13:17: there are 2 numbers")));
  EXPECT_THAT(errors("A + B -> C : 0.5", "A + D -> C : 0.5"),
              ElementsAre(HasSubstr("deck.toml:8:13: the reaction \"A + D -> C : 0.5\": \"D\" is no solute")));
  EXPECT_THAT(errors("A + B -> C : 0.5", "A + B -> C : 900"),
              ElementsAre(HasSubstr("may use up 225% of a reactant in a step: run.timestep of at most 4.4e-05")));
  EXPECT_THAT(errors("solute = \"A\"", "solute = \"X\""),
              ElementsAre(HasSubstr("deck.toml:23:10: \"X\" is none of transport.solutes")));
  EXPECT_THAT(errors("rate = 0.1", "rate = 0.1\nspecies = \"V\""),
              ElementsAre(HasSubstr("no population has the species \"V\"")));
  EXPECT_THAT(errors("rate = 0.1", "linear = -250.0"),
              ElementsAre(HasSubstr("changes a concentration by 25% in a step")));
  EXPECT_THAT(errors("rate = 0.1", "rate = 0"), ElementsAre(HasSubstr("this source has no rate and does nothing")));
  EXPECT_THAT(errors("center = [5.0, 5.0, 5.0]", "center = [5.0, 5.0, 15.0]"),
              ElementsAre(HasSubstr("center along z is 15, and the box goes from 0 to 10")));
  EXPECT_THAT(errors("region = \"sphere\"\ncenter = [5.0, 5.0, 5.0]\nradius = 2.0",
                     "region = \"box\"\nlow = [0.0, 4.0, 0.0]\nhigh = [1.0, 4.0, 1.0]"),
              ElementsAre(HasSubstr("the region has no volume in the box: along y it goes from 4 to 4")));
  EXPECT_THAT(errors("solutes = [\"A\", \"B\", \"C\"]", "solutes = [\"A\", \"B\", \"C\", \"A\"]"),
              Contains(HasSubstr("\"A\" stands there twice")));
  EXPECT_THAT(errors("[\"A\", \"B\", \"C\"]\n", "[\"A\", \"B\", \"C\"]\nrandom_flux = true\n"),
              ElementsAre(HasSubstr("random_flux needs solute_mass")));
  EXPECT_THAT(errors("[\"A\", \"B\", \"C\"]\n", "[\"A\", \"B\", \"C\"]\nsolute_mass = 0.1\n"),
              ElementsAre(HasSubstr("solute_mass does nothing without random_flux")));
  EXPECT_THAT(errors("kappa = [5.0, 1.0, 0.0]", "kappa = 500.0"),
              ElementsAre(HasSubstr("from 1 on the fluxes are unstable")));
  EXPECT_THAT(errors("kappa = [5.0, 1.0, 0.0]", "kappa = 60.0"), ElementsAre(HasSubstr("warning: kappa = 60 moves")));
  EXPECT_THAT(physicsOf(tdpdDeck, {"run.pair_noise=multiply"}),
              ElementsAre(HasSubstr("pair_noise = \"multiply\" is of style = \"dpd\" alone")));
  EXPECT_THAT(physicsOf(tdpdDeck, {"run.precision=single", "sums.accumulator=nitadori"}),
              ElementsAre(HasSubstr("takes accumulator = \"single\"")));
}

TEST(TransportDecks, NeedSolutesAndCarriers) {
  std::string none = tdpdDeck;
  none.replace(none.find("[transport]"), none.find("[[population]]") - none.find("[transport]"), "");
  EXPECT_THAT(physicsOf(none), ElementsAre(HasSubstr("style = \"tdpd\" needs to know what is dissolved")));
  std::string plain = with(tdpdDeck, "style = \"tdpd\"", "style = \"dpd\"");
  plain = with(plain, "kappa = [5.0, 1.0, 0.0]\n", "");
  EXPECT_THAT(physicsOf(plain),
              testing::AllOf(Contains(HasSubstr("no [[interaction]] of this deck is of style = \"tdpd\"")),
                             Contains(HasSubstr("\"solutes\" is of style"))));
  std::string many = "solutes = [\"S0\"";
  for (int k = 1; k < 65; ++k) many += ", \"S" + std::to_string(k) + "\"";
  EXPECT_THAT(physicsOf(with(tdpdDeck, "solutes = [\"A\", \"B\", \"C\"", many)),
              ElementsAre(HasSubstr("there are 65 solutes: at most 64")));
}

}  // namespace
}  // namespace mesowarp::input::test
