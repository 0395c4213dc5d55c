// The repulsion of many-body DPD: densities, and the force as the slope of the energy of a handful of particles.
#include "physics/pair/many_body.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace mesowarp {
namespace {

constexpr double pi = 3.14159265358979323846;
using Density = DensitySum<double, math::Portable>;
using Force = ManyBodyForce<double, math::Portable>;
using Point = std::array<double, 3>;
using Cluster = std::array<Point, 5>;

input::Interaction manyBody(double b, double cutoff, DensityWeight weight = DensityWeight::quadratic) {
  input::Interaction interaction;
  interaction.style = input::FurtherStyle::manyBody, interaction.cutoff = cutoff;
  auto& keys = interaction.own.get<ManyBodyKeys>();
  keys.b = b, keys.weight = static_cast<int>(weight);
  return interaction;
}

struct OwnScale {
  const input::Interaction& interaction;
  double ownScale = 1.0;
};

double weightAt(const Density::Coefficients& c, double r) {
  return Density::evaluate(c, PairInput<double>{r * r, 0.0, 0, 0, {}}).own[0];
}

PairTerm<double> termAt(const Force::Coefficients& c, double r, double densityI, double densityJ) {
  PairInput<double, 1> in;
  in.distance2 = r * r, in.rDotV = 0.0, in.signatureI = in.signatureJ = 0;
  in.ownI[0] = densityI, in.ownJ[0] = densityJ;
  return Force::evaluate(c, in);
}

double apart(const Point& a, const Point& b) {
  return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2));
}

std::array<double, 5> densities(const Cluster& at, double cutoff) {
  const auto interaction = manyBody(1.0, cutoff);
  const auto c = Density::coefficients(OwnScale{interaction});
  std::array<double, 5> all{};
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = 0; j < at.size(); ++j)
      if (i != j) all[i] += weightAt(c, apart(at[i], at[j]));
  return all;
}

// Warren's, of all particles.
double energy(const Cluster& at, double b, double cutoff) {
  double sum = 0.0;
  for (const double rho : densities(at, cutoff)) sum += pi * b * std::pow(cutoff, 4) / 30.0 * rho * rho;
  return sum;
}

constexpr Cluster places{{{0.0, 0.0, 0.0}, {0.4, 0.1, -0.1}, {-0.2, 0.5, 0.3}, {0.1, -0.3, 0.45}, {0.9, 0.2, 0.2}}};

TEST(ManyBody, TheWeightOfADensityHasTheVolumeOne) {
  for (const auto weight : {DensityWeight::quadratic, DensityWeight::lucy}) {
    constexpr double cutoff = 0.75, h = 1e-4;
    const auto interaction = manyBody(25.0, cutoff, weight);
    const auto c = Density::coefficients(OwnScale{interaction});
    double volume = 0.0;
    for (double r = 0.5 * h; r < 1.0; r += h) volume += 4.0 * pi * r * r * weightAt(c, r) * h;
    EXPECT_NEAR(volume, 1.0, 1e-6);
    EXPECT_EQ(weightAt(c, cutoff), 0.0);
    EXPECT_EQ(weightAt(c, 3.0), 0.0);
  }
  const auto quadratic = manyBody(25.0, 0.75), lucy = manyBody(25.0, 0.75, DensityWeight::lucy);
  const double volume = std::pow(0.75, 3);
  EXPECT_NEAR(weightAt(Density::coefficients(OwnScale{quadratic}), 0.3), 15.0 / (2.0 * pi * volume) * 0.36, 1e-12);
  EXPECT_NEAR(weightAt(Density::coefficients(OwnScale{lucy}), 0.3), 105.0 / (16.0 * pi * volume) * 2.2 * 0.216, 1e-12);
  EXPECT_EQ(weightAt(Density::Coefficients(), 0.3), 0.0);
}

TEST(ManyBody, ForcesAreTheSlopeOfTheEnergy) {
  constexpr double b = 25.0, cutoff = 0.75, h = 1e-6;
  const auto c = Force::coefficients(manyBody(b, cutoff), 0.01, 1.0);
  const auto rho = densities(places, cutoff);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double force = 0.0;
      for (std::size_t j = 0; j < places.size(); ++j)
        if (i != j)
          force +=
              termAt(c, apart(places[i], places[j]), rho[i], rho[j]).forceOverR * (places[i][axis] - places[j][axis]);
      Cluster up = places, down = places;
      up[i][axis] += h, down[i][axis] -= h;
      const double slope = (energy(up, b, cutoff) - energy(down, b, cutoff)) / (2.0 * h);
      EXPECT_NEAR(force, -slope, 1e-6 * (1.0 + std::abs(slope))) << i << " " << axis;
    }
}

TEST(ManyBody, PairsShareTheEnergy) {
  constexpr double b = 25.0, cutoff = 0.75;
  const auto c = Force::coefficients(manyBody(b, cutoff), 0.01, 1.0);
  const auto rho = densities(places, cutoff);
  double sum = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) sum += termAt(c, apart(places[i], places[j]), rho[i], rho[j]).energy;
  EXPECT_NEAR(sum, energy(places, b, cutoff), 1e-12 * sum);
}

TEST(ManyBody, NothingBeyondTheCutoffAndTheSameFromBothSides) {
  using Single = ManyBodyForce<float, math::Hardware>;
  const auto c = Single::coefficients(manyBody(25.0, 0.75), 0.01, 1.0);
  const auto at = [&](float r, float i, float j) {
    PairInput<float, 1> in;
    in.distance2 = r * r, in.rDotV = 0.0F, in.signatureI = in.signatureJ = 0;
    in.ownI[0] = i, in.ownJ[0] = j;
    return Single::evaluate(c, in);
  };
  for (const float r : {0.75F, 0.9F, 100.0F}) {
    EXPECT_EQ(at(r, 6.0F, 7.0F).forceOverR, 0.0F) << r;
    EXPECT_EQ(at(r, 6.0F, 7.0F).energy, 0.0F) << r;
  }
  for (const float r : {0.01F, 0.3F, 0.7F}) {
    EXPECT_EQ(at(r, 6.1F, 0.37F).forceOverR, at(r, 0.37F, 6.1F).forceOverR) << r;
    EXPECT_GT(at(r, 6.1F, 0.37F).forceOverR, 0.0F) << r;
  }
  EXPECT_TRUE(std::isfinite(at(1e-12F, 600.0F, 600.0F).forceOverR));
  const PairTerm<float> nothing = Single::evaluate(Single::Coefficients(), PairInput<float, 1>{});
  EXPECT_EQ(nothing.energy, 0.0F);
}

// More particles at one place than there ever are stay in range.
TEST(ManyBody, SumsInFixedPointHaveRoom) {
  input::Deck deck;
  deck.interactions = {manyBody(25.0, 0.75), manyBody(25.0, 0.5)};
  const auto c = Density::coefficients(OwnScale{deck.interactions[1], 1.0 / Density::ownRange(deck)});
  EXPECT_LT(1000.0 * weightAt(c, 0.0), 1.0);
}

}  // namespace
}  // namespace mesowarp
