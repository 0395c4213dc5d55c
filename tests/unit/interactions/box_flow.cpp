// The flow of a box whose edges change: how fast, from change to change, and what pairs drag against it.
#include "physics/integrate/box/box_flow.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "physics/pair/flow_friction.hpp"

namespace mesowarp {
namespace {

input::Deck stretched(const DeformationKeys& keys) {
  input::Deck deck;
  deck.run.timestep = 0.02, deck.box.size = {8.0, 6.0, 5.0};
  deck.own.get<DeformationKeys>() = keys;
  deck.own.get<DeformationKeys>().on = true;
  return deck;
}

// What the flow carries a particle by in all steps is what the edges change by.
void adds(const DeformationKeys& keys, std::int64_t steps) {
  const BoxFlow flow(stretched(keys));
  std::array<double, 3> strain{}, size{8.0, 6.0, 5.0};
  for (std::int64_t k = 0; k < steps; ++k) {
    for (std::size_t a = 0; a < 3; ++a) strain[a] += 0.02 * flow.rateAt(k)[a];
    if (!flow.changesAt(k + 1)) continue;
    size = flow.sizeAt(k + 1);
    if ((k + 1) % keys.every != 0) continue;
    EXPECT_NEAR(strain[0], std::log(size[0] / 8.0), 1e-12) << k;
    EXPECT_NEAR(strain[1], std::log(size[1] / 6.0), 1e-12) << k;
    EXPECT_NEAR(strain[2], std::log(size[2] / 5.0), 1e-12) << k;
  }
  EXPECT_GT(std::abs(strain[0]), 0.01);
}

TEST(BoxFlow, CarriesAsFarAsTheEdgesGo) {
  adds({.rate = {0.05, -0.03, 0.01}, .every = 7}, 210);
  adds({.rate = {0.05, -0.03, 0.01}, .from = 33, .every = 10}, 200);
  adds({.rate = {0.05, 0.0, 0.0}, .to = 45, .every = 10}, 200);
  adds({.size = {9.0, 5.5, 0.0}, .from = 20, .to = 120, .every = 1}, 150);
}

TEST(BoxFlow, RestsBehindTheLastChangeAndWithoutOne) {
  const BoxFlow flow(stretched({.rate = {0.05, 0.0, 0.0}, .to = 45, .every = 10}));
  EXPECT_NEAR(flow.rateAt(44)[0], std::log(1.045 / 1.04) / 0.1, 1e-12);
  EXPECT_EQ(flow.rateAt(45)[0], 0.0);
  EXPECT_EQ(flow.rateAt(1000)[0], 0.0);
  auto deck = stretched({.rate = {0.05, 0.0, 0.0}});
  deck.own.get<DeformationKeys>().on = false;
  EXPECT_EQ(BoxFlow(deck).rateAt(3)[0], 0.0);
}

TEST(BoxFlow, DragsPairsThatItMovesApart) {
  using Force = FlowFriction<double, math::Portable>;
  input::Interaction interaction;
  interaction.style = input::InteractionStyle::dpd, interaction.cutoff = 1.3;
  interaction.gamma = 4.0, interaction.exponent = 0.5;
  auto deck = stretched({.rate = {0.05, 0.0, 0.0}});
  EXPECT_TRUE(Force::handles(interaction, deck));
  const auto c = Force::coefficients(interaction, 0.02, 1.0);
  const Force::Uniform flow{{0.5, -0.2, 0.1}};
  PairInput<double> in{0.09 + 0.16 + 0.25, 0.0, 0, 0, {0.3, -0.4, 0.5}};
  const double along = 0.5 * 0.09 - 0.2 * 0.16 + 0.1 * 0.25;
  EXPECT_NEAR(Force::evaluate(c, in, flow).forceOverR, -4.0 * (1.0 - std::sqrt(0.5) / 1.3) * along / 0.5, 1e-13);
  in.distance2 = 1.3 * 1.3 + 1e-12;
  EXPECT_EQ(Force::evaluate(c, in, flow).forceOverR, 0.0);
  in = {1e-24, 0.0, 0, 0, {0.0, 0.0, 0.0}};
  EXPECT_EQ(Force::evaluate(c, in, flow).forceOverR, 0.0);
  EXPECT_EQ(Force::evaluate(Force::Coefficients(), in, flow).forceOverR, 0.0);
  deck.own.get<DeformationKeys>().on = false;
  EXPECT_FALSE(Force::handles(interaction, deck));
}

}  // namespace
}  // namespace mesowarp
