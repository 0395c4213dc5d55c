// The flow in which it is found out what walls need: of which decks it can be, what is in it, and that walls of other
// decks have the friction that these give.
#include <gmock/gmock.h>

#include "input/grammar/value.hpp"
#include "input/physics_check.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/boundary/wall_nodes.hpp"
#include "physics/fluid/deck/wall_trial.hpp"
#include "physics/fluid/walled/plate_flow.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "tests/unit/boundary/boundary_decks.hpp"

namespace mesowarp::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string slab = shapeText("gap", "style = \"slab\"\naxis = \"z\"\nfrom = 2.0\nto = 8.0");

std::string interaction(const std::string& between, const std::string& keys) {
  return "[[interaction]]\nbetween = " + between + "\n" + keys + "\n";
}
input::Deck deckWith(const std::string& more, const std::string& walls = wallText("not gap")) {
  return parsedDeck({.size = "[10.0, 10.0, 10.0]", .shapes = slab, .walls = walls, .fluid = standardWater + more});
}
// Before what the program adds for walls.
std::vector<std::string> stylesOf(const input::Deck& deck) {
  std::vector<std::string> styles;
  for (const std::size_t k : fluid::interactionsAtWalls(deck))
    if (const auto& i = deck.interactions[k]; i.between[0] != "wall" && i.between[1] != "wall")
      styles.push_back(i.style);
  return styles;
}

const std::string cells = R"(
[[population]]
name = "cells"
kind = "membrane"
species = "M"
mesh = "sphere"
vertices = 162
diameter = 4.0
count = 1
[[membrane]]
population = "cells"
shear_modulus = 100.0
bending_modulus = 4.0
)";
const std::string chains = R"(
[[population]]
name = "chains"
kind = "polymer"
molecule = "A4"
count = 4
[[bond]]
population = "chains"
k = 100.0
r0 = 0.6
)";
const std::string wca = "style = \"wca\"\nsigma = 0.6", apart = "\ndifferent_molecules = true",
                  soft = "style = \"soft\"\namplitude = 3.0\ncutoff = 1.0",
                  bath = "style = \"dpd-thermostat\"\ngamma = 4.5";

// Chains and cells come before fluids.
input::Deck deckBehind(const std::string& first, const std::string& more) {
  return parsedDeck({.size = "[10.0, 10.0, 10.0]",
                     .shapes = slab,
                     .walls = wallText("not gap"),
                     .fluid = first + standardWater + interaction("[\"M\", \"*\"]", "a = 10.0\ngamma = 4.5") + more});
}

TEST(BoundaryTrial, IsOfWhatActsAtWalls) {
  EXPECT_THAT(stylesOf(deckWith("")), ElementsAre("dpd"));
  // Between vertices alone, whether of one cell or of two.
  for (const auto& scope : {std::string(), apart}) {
    const auto deck = deckBehind(cells, interaction("[\"M\", \"M\"]", wca + scope));
    EXPECT_THAT(stylesOf(deck), ElementsAre("dpd"));
    EXPECT_TRUE(fluid::wantsTrial(deck));
    EXPECT_EQ(fluid::whyNoTrial(deck), "");
    for (const auto& i : fluid::plateFlow(deck, deck.walls[0]).deck.interactions) EXPECT_EQ(i.style, "dpd");
  }
  // Particles of no molecule are in none with another.
  EXPECT_THAT(stylesOf(deckBehind(cells, interaction("\"*\"", wca + apart))), ElementsAre("dpd", "wca"));
}

TEST(BoundaryTrial, HasSingleBeads) {
  const auto between = [](const std::string& species, const std::string& keys) {
    return parsedDeck({.size = "[10.0, 10.0, 10.0]",
                       .shapes = slab,
                       .walls = wallText("not gap"),
                       .fluid = chains + standardWater + interaction("[\"A\", \"*\"]", "a = 25.0\ngamma = 4.5") +
                                interaction(species, keys)});
  };
  EXPECT_THAT(stylesOf(between("[\"A\", \"A\"]", wca + apart)), ElementsAre("dpd", "dpd"));
  EXPECT_THAT(stylesOf(between("[\"A\", \"A\"]", wca)), ElementsAre("dpd", "dpd", "wca"));
  EXPECT_THAT(stylesOf(between("[\"A\", \"W\"]", wca + apart)), ElementsAre("dpd", "dpd", "wca"));
}

TEST(BoundaryTrial, CanBeOfSoftFluids) {
  EXPECT_EQ(fluid::whyNoTrial(deckWith(interaction("\"*\"", soft))), "");
  const std::string only = "[[population]]\nname = \"water\"\nspecies = \"W\"\ndensity = 3.0\n";
  const auto of = [&](const std::string& interactions) {
    return parsedDeck(
        {.size = "[10.0, 10.0, 10.0]", .shapes = slab, .walls = wallText("not gap"), .fluid = only + interactions});
  };
  EXPECT_EQ(fluid::whyNoTrial(of(interaction("\"*\"", soft) + interaction("\"*\"", bath))), "");
  EXPECT_THAT(fluid::whyNoTrial(of(interaction("\"*\"", soft))), HasSubstr("\"W\" have no friction of DPD"));
  EXPECT_THAT(fluid::whyNoTrial(of(interaction("\"*\"", wca) + interaction("\"*\"", bath))),
              HasSubstr("style = \"wca\" (line "));
}

// A search in a flow of nearly no particles ended in a crash.
TEST(BoundaryTrial, NeedsAFluid) {
  const auto of = [&](const std::string& density) {
    return parsedDeck({.size = "[10.0, 10.0, 10.0]",
                       .shapes = slab,
                       .walls = wallText("not gap"),
                       .fluid = "[[population]]\nname = \"water\"\nspecies = \"W\"\ndensity = " + density + "\n" +
                                interaction("[\"W\", \"W\"]", "a = 0.0\ngamma = 4.5")});
  };
  EXPECT_EQ(fluid::whyNoTrial(of("0.5")), "");
  EXPECT_THAT(fluid::whyNoTrial(of("0.01")), HasSubstr("0.01 particles in a cube of its cutoff"));
  EXPECT_THAT(fluid::frictionNotFound(of("0.01")), HasSubstr("may slip"));
}

// Once, at the first wall of those that leave it open, with the line of what is in the way.
TEST(BoundaryTrial, CheckWarnsWhereThereIsNone) {
  const std::string walls = wallText("gap and not gap", "friction = 0.1", "given") + wallText("not gap", "", "open") +
                            wallText("not gap", "", "other");
  const auto deck = deckWith(interaction("[\"W\", \"W\"]", wca), walls);
  std::vector<input::Diagnostic> found;
  for (const auto& d : input::checkPhysics(deck))
    if (d.message.find("is not looked for") != std::string::npos) found.push_back(d);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].warning);
  EXPECT_EQ(found[0].where.line, deck.walls[1].where.line);
  EXPECT_GT(found[0].where.line, 0);
  EXPECT_THAT(found[0].message, HasSubstr("walls \"open\" and \"other\""));
  EXPECT_THAT(found[0].message, HasSubstr("style = \"wca\" (line "));
  EXPECT_THAT(found[0].message, HasSubstr("may slip"));
  EXPECT_EQ(fluid::frictionNotFound(deckWith(interaction("\"*\"", wca), wallText("not gap", "friction = 0.0"))), "");
  EXPECT_EQ(
      fluid::frictionNotFound(deckWith(interaction("\"*\"", wca), wallText("not gap", "style = \"bounce-forward\""))),
      "");
  EXPECT_EQ(fluid::frictionNotFound(deckWith("")), "");
}

// Plates slide as they are told, and nothing but them drives the fluid.
TEST(BoundaryTrial, HasNothingElseThatDrives) {
  const auto deck = deckWith(R"(
[[schedule]]
key = "wall.0.velocity.x"
steps = [0, 100]
values = [0.0, 1.0]
[[inflow]]
along = "x"
from = 0.0
to = 2.0
velocity = 0.5
rate = 5.0
)");
  ASSERT_EQ(schedulesOf(deck).size(), 1u);
  ASSERT_EQ(inflowsOf(deck).size(), 1u);
  const auto flow = fluid::plateFlow(deck, deck.walls[0]);
  EXPECT_THAT(schedulesOf(flow.deck), IsEmpty());
  EXPECT_THAT(inflowsOf(flow.deck), IsEmpty());
  ASSERT_EQ(flow.deck.walls.size(), 2u);
  EXPECT_EQ(flow.deck.walls[0].velocity[0], -2.0);
  EXPECT_EQ(flow.deck.walls[1].velocity[0], 2.0);
}

// The drag's cutoff is that of DPD, whatever else reaches further.
TEST(BoundaryTrial, ReachesAsFarAsTheForces) {
  const auto deck = deckWith(interaction("\"*\"", "style = \"soft\"\namplitude = 1.0\ncutoff = 1.5"));
  const auto flow = fluid::plateFlow(deck, deck.walls[0]);
  EXPECT_EQ(flow.cutoff, 1.5);
  EXPECT_EQ(flow.reach, 1.0);
  EXPECT_EQ(flow.deck.box.size[0], 10.0 * 1.5);
}

// G = G_0 (f / r_c)^2 of a fluid without DPD: r_c is the cutoff of what acts there.
TEST(BoundaryTrial, AFrictionThatIsGivenActsOnAnyFluid) {
  const std::string lj = R"(
[[population]]
name = "argon"
species = "Ar"
density = 0.7
initial = "lattice"
[[interaction]]
between = "*"
style = "lj"
cutoff = 1.6
)";
  const auto deck = parsedDeck({.size = "[10.0, 10.0, 10.0]",
                                .shapes = slab,
                                .walls = wallText("not gap", "friction = 0.8"),
                                .fluid = lj,
                                .timestep = 0.002});
  constexpr int nodes = boundary::WallNodes::count;
  const auto tables = boundary::wallTables(deck, boundary::wallSettings(deck));
  ASSERT_DOUBLE_EQ(tables.reach, 1.5 * 1.6);
  EXPECT_EQ(tables.acts, tables.reach);
  const double* drag = tables.values.data() + 2 * (nodes + 1);
  EXPECT_DOUBLE_EQ(drag[nodes / 2], 0.8 * 16.0 / 9.0 / 8.0);
  EXPECT_EQ(drag[0], 0.0);
}

}  // namespace
}  // namespace mesowarp::test
