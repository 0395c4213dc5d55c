// Morse forces, and forces between different molecules alone.
#include <cmath>
#include <gtest/gtest.h>

#include "physics/pair/between_molecules.hpp"
#include "physics/pair/lennard_jones.hpp"
#include "physics/pair/morse.hpp"

namespace mesowarp {
namespace {

input::Interaction well() {
  input::Interaction interaction;
  interaction.style = input::FurtherStyle::morse, interaction.cutoff = 2.1, interaction.epsilon = 1.7;
  auto& keys = interaction.own.get<MorseKeys>();
  keys.beta = 2.5, keys.r0 = 0.9;
  return interaction;
}

TEST(Contacts, MorseForceIsTheSlopeOfTheEnergy) {
  using Force = MorseForce<double, math::Portable>;
  const auto c = Force::coefficients(well(), 0.005, 1.0);
  const auto at = [&](double r) { return Force::evaluate(c, PairInput<double>{r * r, 0.0, 0, 0, {}}); };
  constexpr double h = 1e-6;
  for (double r = 0.05; r < 2.09; r += 0.07) {
    const double slope = (at(r + h).energy - at(r - h).energy) / (2.0 * h);
    EXPECT_NEAR(at(r).forceOverR * r, -slope, 1e-6 * (1.0 + std::abs(slope))) << r;
  }
  const double e = std::exp(-2.5 * (1.3 - 0.9)), end = std::exp(-2.5 * (2.1 - 0.9));
  EXPECT_NEAR(at(1.3).energy, 1.7 * (e * (e - 2.0) - end * (end - 2.0)), 1e-13);
  EXPECT_NEAR(at(0.9).forceOverR, 0.0, 1e-13);
  EXPECT_NEAR(at(2.1 - 1e-9).energy, 0.0, 1e-8);
  EXPECT_EQ(at(2.1).forceOverR, 0.0);
  EXPECT_EQ(at(2.1).energy, 0.0);
  EXPECT_TRUE(std::isfinite(at(1e-12).forceOverR));
  const auto nothing = Force::evaluate(Force::Coefficients(), PairInput<double>{0.25, 0.0, 0, 0, {}});
  EXPECT_EQ(nothing.forceOverR, 0.0);
  EXPECT_EQ(nothing.energy, 0.0);
}

TEST(Contacts, OnlyParticlesOfOneMoleculeDoNotFeelEachOther) {
  using Force = LennardJonesForce<float, math::Hardware>;
  using Between = BetweenMolecules<Force>;
  input::Interaction interaction;
  interaction.style = input::InteractionStyle::wca, interaction.cutoff = 1.122;
  interaction.own.get<input::MoleculeScope>().different = true;
  const input::Deck deck;
  EXPECT_TRUE(Between::handles(interaction, deck));
  EXPECT_FALSE(Force::handles(interaction, deck));
  const auto c = Between::coefficients(interaction, 0.005, 1.0);
  const auto plain = Force::evaluate(c, PairInput<float>{1.0F, 0.0F, 0, 0, {}});
  const auto of = [&](float i, float j) {
    PairInput<float, 1> in;
    in.distance2 = 1.0F, in.rDotV = 0.0F, in.signatureI = in.signatureJ = 0;
    in.ownI[0] = i, in.ownJ[0] = j;
    return Between::evaluate(c, in);
  };
  constexpr float last = 16777215.0F;
  for (const auto& [i, j] : {std::pair{1.0F, 2.0F}, {last, last - 1.0F}, {0.0F, 0.0F}, {0.0F, 3.0F}, {3.0F, 0.0F}}) {
    EXPECT_EQ(of(i, j).forceOverR, plain.forceOverR) << i << " " << j;
    EXPECT_EQ(of(i, j).energy, plain.energy);
  }
  for (const float same : {1.0F, last}) {
    EXPECT_EQ(of(same, same).forceOverR, 0.0F);
    EXPECT_EQ(of(same, same).energy, 0.0F);
  }
}

}  // namespace
}  // namespace mesowarp
