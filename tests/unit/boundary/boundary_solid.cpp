// The solid of walls: primitives against their formulas, what is put together of them, periodic images, texts.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "physics/boundary/deck/solid_text.hpp"
#include "tests/unit/boundary/boundary_decks.hpp"

namespace mesowarp::test {
namespace {

using boundary::SolidError;
using boundary::SolidParts;
using Point = std::array<double, 3>;
using Shapes = std::vector<input::Shape>;

constexpr Point edge{10.0, 8.0, 12.0};

const Shapes shapes{shapeOf("tube", input::ShapeStyle::cylinder, 2, {5.0, 4.0, 0.0}, 3.0),
                    shapeOf("ball", input::ShapeStyle::sphere, 0, {9.5, 1.0, 6.0}, 2.0),
                    shapeOf("brick", input::ShapeStyle::box, 0, {5.0, 4.0, 6.0}, 0.0, {4.0, 2.0, 6.0}),
                    slabOf("floor", 2, 0.0, 2.0)};

SolidParts solidFor(const std::vector<std::string>& texts) {
  return boundary::solidOf(deckOfShapes(edge, shapes, texts));
}

double image(double difference, double period) { return std::remainder(difference, period); }

double expected(const std::string& name, const Point& p) {
  const auto from = [&](const Point& c, std::size_t a) { return image(p[a] - c[a], edge[a]); };
  if (name == "tube") return std::hypot(from(shapes[0].center, 0), from(shapes[0].center, 1)) - 3.0;
  if (name == "ball") {
    const Point& c = shapes[1].center;
    return std::hypot(from(c, 0), from(c, 1), from(c, 2)) - 2.0;
  }
  if (name == "floor") return std::abs(image(p[2] - 1.0, edge[2])) - 1.0;
  Point q;
  for (std::size_t a = 0; a < 3; ++a) q[a] = std::abs(from(shapes[2].center, a)) - 0.5 * shapes[2].size[a];
  return std::hypot(std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0)) +
         std::min(std::max({q[0], q[1], q[2]}), 0.0);
}

void expectEverywhere(const SolidParts& parts, const std::function<double(const Point&)>& value) {
  input::Deck deck;
  deck.box.size = edge;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int n = 0; n < 2000; ++n) {
    const Point p{part(random) * edge[0], part(random) * edge[1], part(random) * edge[2]};
    EXPECT_NEAR(parts.view()(parts.point(deck, p)).distance, value(p), 1e-12);
  }
}

TEST(BoundarySolid, PrimitivesAreExact) {
  for (const char* name : {"tube", "ball", "brick", "floor"})
    expectEverywhere(solidFor({name}), [&](const Point& p) { return expected(name, p); });
}

// Two plates that are one solid through the box's end, as two walls and as one: a particle may not be on the face
// between them. At their surfaces it is in the fluid, and where only one solid ends.
TEST(BoundarySolid, NobodyIsBetweenSolidsThatTouch) {
  const auto shapesOf = [](double low, double high) {
    return Shapes{slabOf("below", 2, 0.0, low), slabOf("above", 2, high, edge[2])};
  };
  input::Deck deck;
  deck.box.size = edge;
  for (const auto& [low, high] : {std::pair{2.0, 10.0}, {0.1, 11.9}, {1.7, 11.1}})
    for (const auto& texts : {std::vector<std::string>{"below", "above"}, {"above", "below"}, {"below or above"}}) {
      const SolidParts parts = boundary::solidOf(deckOfShapes(edge, shapesOf(low, high), texts));
      const auto at = [&](double z) { return parts.view()(parts.point(deck, {3.0, 4.0, z})).distance; };
      EXPECT_LT(at(0.0), 0.0) << low;
      for (const auto& [surface, inwards] : {std::pair{low, 1e-9}, {high, -1e-9}}) {
        EXPECT_NEAR(at(surface), 0.0, 1e-12);
        EXPECT_GT(at(surface + inwards), 0.0);
        EXPECT_LT(at(surface - inwards), 0.0);
      }
    }
  const SolidParts alone = boundary::solidOf(deckOfShapes(edge, shapesOf(2.0, 10.0), {"below"}));
  EXPECT_GE(alone.view()(alone.point(deck, {3.0, 4.0, 0.0})).distance, 0.0);
}

TEST(BoundarySolid, WhatIsPutTogether) {
  const auto f = [](const char* name, const Point& p) { return expected(name, p); };
  expectEverywhere(solidFor({"not tube"}), [&](const Point& p) { return -f("tube", p); });
  expectEverywhere(solidFor({"not tube or ball"}),
                   [&](const Point& p) { return std::min(-f("tube", p), f("ball", p)); });
  expectEverywhere(solidFor({"not (tube and not ball)"}),
                   [&](const Point& p) { return -std::max(f("tube", p), -f("ball", p)); });
  // "and" binds more than "or".
  expectEverywhere(solidFor({"floor or tube and brick"}),
                   [&](const Point& p) { return std::min(f("floor", p), std::max(f("tube", p), f("brick", p))); });
}

TEST(BoundarySolid, TheNearestWallIsTold) {
  const SolidParts parts = solidFor({"floor", "ball"});
  input::Deck deck;
  deck.box.size = edge;
  EXPECT_EQ(parts.view()(parts.point(deck, {5.0, 4.0, 2.5})).wall, 0);
  EXPECT_EQ(parts.view()(parts.point(deck, {9.5, 1.0, 8.5})).wall, 1);
  EXPECT_EQ(parts.view()(parts.point(deck, {0.5, 7.5, 6.0})).wall, 1);  // of the image next door
}

TEST(BoundarySolid, NormalsPointIntoTheFluid) {
  const SolidParts parts = solidFor({"not tube"});
  input::Deck deck;
  deck.box.size = edge;
  double n[3];
  parts.view().normal(parts.point(deck, {5.0 + 3.0 / std::sqrt(2.0), 4.0 + 3.0 / std::sqrt(2.0), 5.0}), n);
  EXPECT_NEAR(n[0], -std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(n[1], -std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(n[2], 0.0, 1e-6);
}

std::string refusal(const std::string& text) {
  try {
    solidFor({text});
  } catch (const SolidError& error) {
    EXPECT_EQ(error.path, "wall.0.solid");
    return error.what();
  }
  return "";
}

TEST(BoundarySolid, RefusesTextsThatMeanNothing) {
  EXPECT_NE(refusal("tub").find("there is no [[shape]] \"tub\"; did you mean \"tube\"?"), std::string::npos)
      << refusal("tub");
  EXPECT_NE(refusal("tube or").find("missing at the end"), std::string::npos);
  EXPECT_NE(refusal("(tube").find("not closed"), std::string::npos);
  EXPECT_NE(refusal("tube ball").find("expected `and`, `or` or the end"), std::string::npos);
  EXPECT_NE(refusal("tube | ball").find("found \"|\""), std::string::npos);
  EXPECT_NE(refusal("").find("missing"), std::string::npos);
}

}  // namespace
}  // namespace mesowarp::test
