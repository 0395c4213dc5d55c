// Decks with [[wall]]s: parsed from blocks of text, or made of shapes alone where nothing is to run.
#pragma once

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "input/grammar/parse.hpp"

namespace mesowarp::test {

inline const std::string standardWater = R"(
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = ["W", "W"]
a = 25.0
gamma = 4.5
)";

struct WalledText {
  std::string size;                   // "[10.0, 10.0, 10.0]"
  std::string shapes;                 // their blocks
  std::string walls;                  // likewise
  std::string run = {};               // more keys of [run]
  std::string box = {};               // more keys of [box]
  std::string fluid = standardWater;  // and what else follows
  double timestep = 0.01;
};

inline input::Deck parsedDeck(const WalledText& text) {
  auto parsed = input::parseDeckText("[run]\nsteps = 100\ntimestep = " + std::to_string(text.timestep) + "\n" +
                                         text.run + "\n[box]\nsize = " + text.size + "\n" + text.box + "\n" +
                                         text.shapes + "\n" + text.walls + text.fluid,
                                     "walled.toml");
  EXPECT_TRUE(parsed.ok()) << (parsed.diagnostics.empty() ? "" : parsed.diagnostics[0].message);
  return parsed.deck;
}

// [[shape]] with so many keys, [[wall]] likewise.
inline std::string shapeText(const std::string& name, const std::string& keys) {
  return "[[shape]]\nname = \"" + name + "\"\n" + keys + "\n";
}
inline std::string wallText(const std::string& solid, const std::string& keys = {}, const std::string& name = "w") {
  return "[[wall]]\nname = \"" + name + "\"\nsolid = \"" + solid + "\"\n" + keys + "\n";
}

inline input::Shape shapeOf(const char* name, input::ShapeStyle style, int axis, std::array<double, 3> center,
                            double radius, std::array<double, 3> size = {}) {
  input::Shape shape;
  shape.name = name, shape.style = style, shape.axis = axis, shape.center = center, shape.radius = radius;
  shape.size = size;
  return shape;
}
inline input::Shape slabOf(const char* name, int axis, double from, double to) {
  input::Shape shape;
  shape.name = name, shape.axis = axis, shape.from = from, shape.to = to;
  return shape;
}

// A box with these shapes, and a wall of each text.
inline input::Deck deckOfShapes(std::array<double, 3> size, std::vector<input::Shape> shapes,
                                const std::vector<std::string>& solids) {
  input::Deck deck;
  deck.box.size = size, deck.shapes = std::move(shapes);
  for (const auto& solid : solids) {
    input::Wall wall;
    wall.solid = solid;
    deck.walls.push_back(wall);
  }
  return deck;
}

}  // namespace mesowarp::test
