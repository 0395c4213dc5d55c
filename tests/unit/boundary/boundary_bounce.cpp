// A path that ends in the solid: where it meets the surface, with what velocity it leaves, and that it never stays in.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "physics/boundary/bounce.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "tests/unit/boundary/boundary_decks.hpp"

namespace mesowarp::test {
namespace {

using namespace boundary;

constexpr double size = 10.0;

input::Deck deckOf(const std::string& solid, input::WallStyle style = input::WallStyle::bounce_back) {
  auto deck =
      deckOfShapes({size, size, size},
                   {slabOf("floor", 2, 0.0, 2.0), shapeOf("tube", input::ShapeStyle::cylinder, 2, {5.0, 5.0, 0.0}, 3.0),
                    shapeOf("ball", input::ShapeStyle::sphere, 2, {5.0, 5.0, 5.0}, 1.5)},
                   {solid});
  deck.walls[0].style = style;
  return deck;
}

Bounce ended(const SolidParts& parts, const input::Deck& deck, std::array<double, 3> from,
             std::array<double, 3> velocity, double dt) {
  Bounce b{};
  std::array<double, 3> to{};
  for (std::size_t a = 0; a < 3; ++a) to[a] = from[a] + dt * velocity[a], b.velocity[a] = velocity[a];
  b.at = parts.point(deck, to);
  return b;
}

double lengthOf(const SolidParts& parts, const Bounce& b, int axis) {
  return static_cast<double>(b.at.x[axis]) * parts.tick[axis];
}

TEST(BoundaryBounce, RetracesItsPathFromThePlane) {
  const auto deck = deckOf("floor");
  const SolidParts parts = solidOf(deck);
  Bounce b = ended(parts, deck, {5.0, 5.0, 2.3}, {1.0, -2.0, -4.0}, 0.1);  // meets z = 2 after 3/4 of the step
  b.offset[0] = 0.25;
  Bouncer{parts.view(), 0.1}(b);
  EXPECT_NEAR(lengthOf(parts, b, 0), 5.05, 1e-9);
  EXPECT_NEAR(lengthOf(parts, b, 1), 4.90, 1e-9);
  EXPECT_NEAR(lengthOf(parts, b, 2), 2.10, 1e-9);
  EXPECT_EQ(b.velocity[0], -1.0);
  EXPECT_EQ(b.velocity[1], 2.0);
  EXPECT_EQ(b.velocity[2], 4.0);
  EXPECT_EQ(b.offset[0], -0.25);
  EXPECT_EQ(b.wall, 0);
  EXPECT_FALSE(b.strayed);
}

// On paths from points of the fluid into the solid, by questions of 32 places what halvings find: the same number.
TEST(BoundaryBounce, ManyPlacesAtATimeFindWhatHalvingsDo) {
  const auto deck = deckOf("floor or not tube or ball");
  const SolidParts parts = solidOf(deck);
  const Solid solid = parts.view();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  int paths = 0;
  for (int n = 0; n < 40000 && paths < 2000; ++n) {
    const auto from = parts.point(deck, {size * uniform(random), size * uniform(random), size * uniform(random)});
    double way[3];
    for (double& w : way) w = 2.0 * uniform(random) - 1.0;
    const auto at = [&](double part) {
      const double by[3] = {part * way[0], part * way[1], part * way[2]};
      return solid(solid.moved(from, by)).distance >= 0.0;
    };
    if (!at(0.0) || at(1.0)) continue;
    ++paths;
    const auto many = [&](double first, double apart) {
      std::uint32_t known = 0;
      for (int k = 0; k < 32; ++k) known |= static_cast<std::uint32_t>(at(first + k * apart)) << k;
      return known;
    };
    const double met = Halving{}(at);
    ASSERT_EQ(halvedByMany(many), met);
    for (const int before : {0, 7, 30, 31, 40}) {
      const double first = std::max(0.0, met - before * Halving::unit);
      ASSERT_EQ(amongByMany(many, first), Halving{}.among(at, first));
      ASSERT_TRUE(before > 30 || amongByMany(many, first) == met);
    }
  }
  EXPECT_EQ(paths, 2000);
}

// Which are long: forty questions one after the other.
struct CountedHalving : Halving {
  int* whole;
  template <class Test>
  double operator()(const Test& inFluid) const {
    ++*whole;
    return Halving::operator()(inFluid);
  }
};

// Secants guess the place so well that it is seldom looked for along the whole path, and it is the one that halvings
// find, but for rounding.
TEST(BoundaryBounce, SecantsFindWhatHalvingsDo) {
  constexpr double timestep = 0.02;
  for (const char* shape : {"floor", "not tube", "ball"}) {
    const auto deck = deckOf(shape);
    const SolidParts parts = solidOf(deck);
    const Solid solid = parts.view();
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    int paths = 0, whole = 0;
    while (paths < 500) {
      const auto from = parts.point(deck, {size * uniform(random), size * uniform(random), size * uniform(random)});
      Bounce b{};
      for (double& v : b.velocity) v = 4.0 * uniform(random) - 2.0;
      double way[3];
      for (std::size_t a = 0; a < 3; ++a) way[a] = timestep * b.velocity[a];
      b.at = solid.moved(from, way);
      if (!(solid(from).distance > 0.0) || solid(b.at).distance >= 0.0) continue;
      ++paths;
      const double met = Halving{}([&](double part) {
        const double by[3] = {part * way[0], part * way[1], part * way[2]};
        return solid(solid.moved(from, by)).distance >= 0.0;
      });
      const Bounce before = b;
      Bouncer<CountedHalving>{solid, timestep, CountedHalving{{}, &whole}}(b);
      for (std::size_t a = 0; a < 3; ++a) {  // to the surface and back
        const auto moved = static_cast<std::int64_t>(b.at.x[a] - before.at.x[a]);
        EXPECT_NEAR(static_cast<double>(moved) * parts.tick[a], -2.0 * (1.0 - met) * way[a], 1e-11) << shape;
      }
      EXPECT_EQ(b.end.distance, solid(b.at).distance);
    }
    EXPECT_LE(whole, paths / 20) << shape;
  }
}

TEST(BoundaryBounce, TakesTheWallsVelocityWithIt) {
  auto deck = deckOf("floor");
  deck.walls[0].velocity = {3.0, 0.0, 0.0};
  const SolidParts parts = solidOf(deck);
  Bounce b = ended(parts, deck, {5.0, 5.0, 2.3}, {1.0, 0.0, -4.0}, 0.1);
  Bouncer{parts.view(), 0.1}(b);
  EXPECT_EQ(b.velocity[0], 5.0);  // 2 * 3 - 1
  EXPECT_NEAR(lengthOf(parts, b, 0), 5.075 + 0.025 * 5.0, 1e-9);
}

TEST(BoundaryBounce, OfATurningCylinder) {
  auto deck = deckOf("not tube");
  deck.walls[0].spin = {0.0, 0.0, 2.0};
  deck.walls[0].about = {5.0, 5.0, 0.0};
  const SolidParts parts = solidOf(deck);
  Bounce b = ended(parts, deck, {7.9, 5.0, 5.0}, {4.0, 0.0, 0.0}, 0.1);
  Bouncer{parts.view(), 0.1}(b);
  EXPECT_NEAR(b.velocity[0], -4.0, 1e-6);
  EXPECT_NEAR(b.velocity[1], 2.0 * 3.0 * 2.0, 1e-6);  // twice the speed of the surface
}

TEST(BoundaryBounce, ForwardKeepsWhatIsAlongTheSurface) {
  const auto deck = deckOf("not tube", input::WallStyle::bounce_forward);
  const SolidParts parts = solidOf(deck);
  Bounce b = ended(parts, deck, {7.9, 5.0, 5.0}, {4.0, 0.0, 1.5}, 0.1);
  Bouncer{parts.view(), 0.1}(b);
  EXPECT_NEAR(b.velocity[0], -4.0, 1e-6);
  EXPECT_NEAR(b.velocity[1], 0.0, 1e-6);
  EXPECT_NEAR(b.velocity[2], 1.5, 1e-12);
}

// Free flight in a tube with a ball in it, which turns: no step ends in the solid. Between walls at rest the speed
// stays.
TEST(BoundaryBounce, NoPathEndsInTheSolid) {
  for (const double spin : {0.0, 1.0}) {
    for (const auto style : {input::WallStyle::bounce_back, input::WallStyle::bounce_forward}) {
      auto deck = deckOf("not tube or ball", style);
      deck.walls[0].spin = {0.0, 0.0, spin};
      deck.walls[0].about = {5.0, 5.0, 5.0};
      const SolidParts parts = solidOf(deck);
      const Solid solid = parts.view();
      std::mt19937_64 random(11);
      std::normal_distribution<double> normal;
      int bounces = 0;
      for (int particle = 0; particle < 40; ++particle) {
        Bounce b{};
        b.at = parts.point(deck, {7.0, 5.0, 1.0});
        for (double& v : b.velocity) v = 3.0 * normal(random);
        for (int step = 0; step < 2000; ++step) {
          const double by[3] = {0.05 * b.velocity[0], 0.05 * b.velocity[1], 0.05 * b.velocity[2]};
          const double before = std::hypot(b.velocity[0], b.velocity[1], b.velocity[2]);
          b.at = solid.moved(b.at, by);
          if (solid(b.at).distance >= 0.0) continue;
          ++bounces;
          Bouncer{solid, 0.05}(b);
          ASSERT_GE(solid(b.at).distance, 0.0);
          ASSERT_FALSE(b.strayed);
          if (spin == 0.0) {
            ASSERT_NEAR(std::hypot(b.velocity[0], b.velocity[1], b.velocity[2]), before, 1e-6);
          }
        }
      }
      EXPECT_GT(bounces, 2500);
    }
  }
}

TEST(BoundaryBounce, WhatIsInTheSolidIsPutBackAndCounted) {
  const auto deck = deckOf("floor");
  const SolidParts parts = solidOf(deck);
  Bounce b = ended(parts, deck, {5.0, 5.0, 1.7}, {0.0, 0.0, -1.0}, 0.1);
  Bouncer{parts.view(), 0.1}(b);
  EXPECT_TRUE(b.strayed);
  EXPECT_FALSE(b.lost);
  EXPECT_NEAR(lengthOf(parts, b, 2), 2.0, 1e-5);
  EXPECT_GT(b.velocity[2], 0.0);
}

}  // namespace
}  // namespace mesowarp::test
