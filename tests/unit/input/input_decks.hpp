// Decks for the tests of input/, and what the tests ask of them.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <vector>

#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "input/schema.hpp"

namespace mesowarp::input::test {

inline const std::string minimalDeck = R"([run]
steps = 10000
timestep = 0.01

[box]
size = [10.0, 10.0, 10.0]

[[population]]
name = "water"
species = "W"
density = 3.0

[[interaction]]
between = ["W", "W"]
a = 25.0
gamma = 4.5
)";

inline const std::string fullDeck = R"(# amphiphiles in water between walls, with every block there is
[run]
title = "caf\u00e9 \"n\u00b01\"\n\u0007"
steps = 1e4
timestep = 0.01
temperature = 0.5
seed = 9223372036854775807
precision = "double"
reproducibility = "deterministic"
pair_noise = "multiply"
[box]
size = [20, 20.5, 16.0]
periodic = [true, true, false]

[integrator]
style = "groot-warren"

[neighbor]
skin = 0.25
rebuild = "every"
every = 3

[[population]]
name = "water"
species = "W"
density = 2.5
velocity = [0.1, 0.0, -1e-3]

[[population]]
name = "amphiphile"
kind = "polymer"
blocks = "HHTTTT"
letters = { H = "head", T = "tail" }
count = 100
bond_length = 0.4
temperature = 0.25

[[interaction]]
between = "*"
a = 25
sigma = 2.0

[[interaction]]
between = ["tail", "W"]
a = 100.0
gamma = 4
exponent = 0.25

[[interaction]]
between = ["head", "head"]
style = "wca"
sigma = 0.9

[[bond]]
population = "amphiphile"
style = "fene"
k = 40.0
r_max = 1.5
exclude = true

[[boundary]]
face = "z-"
style = "bounce-back"

[[boundary]]
face = "z+"
style = "bounce-forward"

[[drive]]
style = "double-poiseuille"
acceleration = [0.05, 0, 0]
across = "y"

[[measure]]
axis = "z"
bins = 40
quantities = ["velocity", "density"]
start = 100
window = 1000

[[output]]
format = "trajectory"
every = 1000
fields = ["position", "image"]
precision = "double"

[[output]]
format = "table"
columns = ["time", "pressure_xy"]
at_end = false
)";

inline const std::string argonDeck = R"([run]
steps = 200
timestep = 0.002
temperature = 0.7
[box]
size = [10.0, 10.0, 10.0]
[neighbor]
skin = 0.4
[[population]]
name = "argon"
species = "Ar"
initial = "lattice"
count = 840
[[interaction]]
between = ["Ar", "Ar"]
style = "lj"
)";

// The text with its one occurrence of `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

inline std::vector<std::string> lines(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> all;
  for (const auto& diagnostic : diagnostics) all.push_back(format(diagnostic, "deck.toml"));
  return all;
}

inline std::vector<std::string> errorsOf(const std::string& text, const std::vector<Override>& overrides = {}) {
  return lines(parseDeckText(text, "deck.toml", overrides).diagnostics);
}

// A deck that must parse.
inline Deck deckOf(const std::string& text, const std::vector<Override>& overrides = {}) {
  const auto result = parseDeckText(text, "deck.toml", overrides);
  for (const auto& line : lines(result.diagnostics)) ADD_FAILURE() << line;
  return result.deck;
}

inline std::vector<std::string> physicsOf(const std::string& text, const std::vector<Override>& overrides = {}) {
  return lines(checkPhysics(deckOf(text, overrides)));
}

// Every parameter of every block, and what follows from them; sources apart.
inline void expectSameDeck(const Deck& a, const Deck& b) {
  const auto same = [](const auto& schema, const auto& x, const auto& y) {
    for (const auto& field : schema.fields)
      EXPECT_EQ(tomlText(field.get(x)), tomlText(field.get(y))) << schema.name << "." << field.key;
  };
  forEachBlock([&]<class T>(const Block<T>& schema, auto place) {
    const auto &here = memberOf(a, place), &there = memberOf(b, place);
    if constexpr (std::is_same_v<std::decay_t<decltype(here)>, T>) {
      same(schema, here, there);
    } else {
      ASSERT_EQ(here.size(), there.size()) << schema.name;
      for (std::size_t k = 0; k < here.size(); ++k) same(schema, here[k], there[k]);
    }
  });
  EXPECT_EQ(a.faces, b.faces);
  EXPECT_EQ(a.species, b.species);
  EXPECT_EQ(a.resolved, b.resolved);
}

}  // namespace mesowarp::input::test
