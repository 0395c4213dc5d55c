// Where chains between walls begin: out of them, a bond's length apart, and, many as they are, in little time.
#include <cmath>
#include <gtest/gtest.h>

#include "physics/fluid/chain_start.hpp"
#include "tests/unit/boundary/boundary_decks.hpp"

namespace mesowarp::test {
namespace {

// 320,000 beads. If each looked at all that are there, these would be 10^12 looks.
TEST(BoundaryChains, ManyThatKeepNoDistanceArePlacedBetweenWalls) {
  const std::string chains = R"(
[[population]]
name = "chains"
kind = "polymer"
molecule = "A8"
count = 40000
bond_length = 0.6
[[bond]]
population = "chains"
k = 100.0
r0 = 0.6
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
)";
  const input::Deck deck =
      parsedDeck({.size = "[60.0, 60.0, 60.0]",
                  .shapes = shapeText("gap", "style = \"slab\"\naxis = \"z\"\nfrom = 2.0\nto = 58.0"),
                  .walls = wallText("not gap", "friction = 0.2"),
                  .fluid = chains});
  HostParticles particles;
  particles.position.resize(320000);
  fluid::placeChains(deck, {deck.populations.data()}, particles);
  const double tick = 60.0 * std::ldexp(1.0, -64);
  for (std::size_t i = 0; i < 320000; ++i) {
    const double z = static_cast<double>(particles.position[i][2]) * tick;
    ASSERT_TRUE(z >= 2.0 && z <= 58.0) << "bead " << i << " at " << z;
    if (i % 8 == 0) continue;
    double squared = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double d = static_cast<double>(static_cast<i64>(particles.position[i][a] - particles.position[i - 1][a]));
      squared += d * tick * d * tick;
    }
    ASSERT_NEAR(std::sqrt(squared), 0.6, 1e-9) << "bead " << i;
  }
}

}  // namespace
}  // namespace mesowarp::test
