// What walls do near their surface beside the bounce: frozen layers that are stretched, and the tables of walls without
// particles.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "physics/boundary/deck/layer_stretch.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/boundary/wall_nodes.hpp"
#include "tests/unit/boundary/boundary_decks.hpp"

namespace mesowarp::test {
namespace {

using boundary::LayerPush;
using boundary::LayerStretch;

// 300 particles at random depths push with a scatter of some per cent; stretched, as a uniform layer does.
TEST(BoundaryLayers, AStretchedLayerPushesAsWanted) {
  constexpr int particles = 300;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> wanted, spread;
  for (std::size_t k = 0; k < LayerPush::heights; ++k) {
    double mean = 0.0, square = 0.0;
    constexpr int points = 1000;
    for (int n = 0; n < points; ++n) {
      const double push = LayerPush::of(LayerPush::height(k) + (n + 0.5) / points);
      mean += push / points, square += push * push / points;
    }
    wanted.push_back(particles * mean);
    spread.push_back(std::sqrt(particles * (square - mean * mean)));
  }
  double before = 0.0, after = 0.0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> depths;
    for (int n = 0; n < particles; ++n) depths.push_back(uniform(random));
    const LayerStretch stretch(depths, wanted, spread);
    for (std::size_t k = 0; k < LayerPush::heights; ++k) {
      double plain = 0.0, moved = 0.0;
      for (const double depth : depths) {
        plain += LayerPush::of(LayerPush::height(k) + depth);
        const double to = depth + stretch(depth);
        EXPECT_GT(to, 0.0);
        EXPECT_LT(to, 1.0);
        moved += LayerPush::of(LayerPush::height(k) + to);
      }
      before += std::pow((plain - wanted[k]) / spread[k], 2), after += std::pow((moved - wanted[k]) / spread[k], 2);
    }
  }
  EXPECT_GT(before, 80.0);  // 160 terms, each 1 in the mean
  EXPECT_LT(after, 0.02 * before);
}

input::Deck effectiveDeck(const std::string& shape, const std::string& solid) {
  return parsedDeck({.size = "[12.0, 12.0, 12.0]",
                     .shapes = shapeText("ball", shape),
                     .walls = wallText(solid, "method = \"effective\"\nfriction = 0.5")});
}

constexpr int nodes = boundary::WallNodes::count, ofCutoff = boundary::WallNodes::ofCutoff;

// eta_D / (eta_D + eta_K) of the standard fluid: int w_D r^4 dr = 1 / 105, int w_D r^2 dr = 1 / 30.
constexpr double frictionsPart = [] {
  const double friction = 2.0 * M_PI / 15.0 * 4.5 * 9.0 / 105.0, kinetic = 3.0 / (8.0 * M_PI * 4.5 / 30.0);
  return friction / (friction + kinetic);
}();

// Work against the push up to the surface: half of rho int u d^3r = pi a rho / 30.
TEST(BoundaryLayers, ThePushOfAPlane) {
  const auto tables = boundary::wallTables(effectiveDeck("style = \"plane\"\naxis = \"z\"\nat = 3.0", "ball"), {});
  ASSERT_TRUE(tables.pushes);
  double work = 0.0;
  for (int k = 0; k < nodes; ++k) work += 0.5 * (tables.values[k] + tables.values[k + 1]) / ofCutoff;
  EXPECT_NEAR(work, M_PI * 25.0 * 3.0 / 30.0, 0.002);
  EXPECT_EQ(tables.values[ofCutoff], 0.0);
  // Friction at the surface: gamma rho int w_D e_t^2 d^3r over half of space = gamma rho 2 pi / 90, and what repels.
  // And int w_D e_t^2 d d^3r = pi / 240, by the tenth of a cutoff.
  EXPECT_NEAR(tables.values[2 * (nodes + 1)],
              4.5 * 3.0 * M_PI * ((1.0 + 3.5 * (1.0 - frictionsPart)) / 45.0 + frictionsPart / 24.0), 3e-4);
}

// What frozen particles lack: against the sum over a fine grid of points behind the surface. G_0 alone is 0.5 of what
// int G f^2 df = r_c^3 / 5 is the unit of.
TEST(BoundaryLayers, WhatFrozenParticlesLackByBeingAtRest) {
  constexpr double step = 0.025;
  const auto drag = [](const char* keys) {
    const auto deck = parsedDeck({.size = "[12.0, 12.0, 12.0]",
                                  .shapes = shapeText("ball", "style = \"plane\"\naxis = \"z\"\nat = 3.0"),
                                  .walls = wallText("ball", keys)});
    auto values = boundary::wallTables(deck, {}).values;
    values.resize(3 * (nodes + 1));  // of the first wall and species
    return std::vector<double>(values.begin() + 2 * (nodes + 1), values.end());
  };
  const auto lacks = drag("friction = 0.0"), with = drag("friction = 0.5");
  for (const int at : {3, 16, 32}) {  // the first within a tenth of a cutoff
    const double f = static_cast<double>(at) / ofCutoff;
    double sum = 0.0;
    for (double z = -f - step / 2; z > -1.0; z -= step)
      for (double y = -1.0 + step / 2; y < 1.0; y += step)
        for (double x = -1.0 + step / 2; x < 1.0; x += step)
          if (const double r = std::sqrt(x * x + y * y + z * z); r < 1.0)
            sum += step * step * step * (1.0 - r) * (1.0 - r) * (x / r) * (x / r) * (-z - f) / std::max(f, 0.1);
    EXPECT_NEAR(lacks[at], frictionsPart * 4.5 * 3.0 * sum, 0.01 * lacks[at]) << f;
  }
  EXPECT_EQ(lacks[ofCutoff], 0.0);
  double moment = 0.0;
  for (int k = 0; k < nodes; ++k)
    moment += std::pow(static_cast<double>(k) / ofCutoff, 2) * (with[k] - lacks[k]) / ofCutoff;
  EXPECT_NEAR(moment, 0.5 / 5.0, 1e-4);
  EXPECT_GT(with[ofCutoff], 0.1);
  EXPECT_EQ(with[nodes], 0.0);
  for (const double none : drag("style = \"bounce-forward\"")) EXPECT_EQ(none, 0.0);
}

// Against the sum over a fine grid of points inside of a sphere, and outside of one: what is left is of second order in
// the curvature.
TEST(BoundaryLayers, ThePushOfASphere) {
  constexpr double radius = 4.0, height = 0.4, step = 0.04;
  for (const bool hollow : {false, true}) {
    const auto tables = boundary::wallTables(
        effectiveDeck("style = \"sphere\"\ncenter = [6.0, 6.0, 6.0]\nradius = 4.0", hollow ? "not ball" : "ball"), {});
    double sum = 0.0;
    const double at = hollow ? radius - height : radius + height;
    for (double z = -1.0 + step / 2; z < 1.0; z += step)
      for (double y = -1.0 + step / 2; y < 1.0; y += step)
        for (double x = -1.0 + step / 2; x < 1.0; x += step) {
          const double r = std::sqrt(x * x + y * y + z * z);
          const bool inside = std::sqrt(x * x + y * y + (at + z) * (at + z)) < radius;
          if (r < 1.0 && inside != hollow) sum += 3.0 * step * step * step * 25.0 * (1.0 - r) * (hollow ? z : -z) / r;
        }
    const double place = height * ofCutoff, part = place - std::floor(place);
    const auto row = [&](int r) {
      const double* v = tables.values.data() + r * (nodes + 1) + static_cast<int>(place);
      return v[0] + part * (v[1] - v[0]);
    };
    const double curvature = (hollow ? -2.0 : 2.0) / at;
    EXPECT_NEAR(row(0) - curvature * row(1), sum, 0.02 * sum) << hollow;
    EXPECT_GT(std::abs(row(0) - sum), 0.05 * sum);  // the second part is needed
  }
}

}  // namespace
}  // namespace mesowarp::test
