// Decks with tracers, and what they do in steps.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "physics/methods.hpp"

namespace mesowarp::test {

inline const std::string dye = R"(
[run]
steps = 1000
timestep = 0.01
seed = 7
[box]
size = [8.0, 6.0, 10.0]
[[population]]
name = "dye"
kind = "tracers"
count = 20000
diffusion = 0.3
)";

// As many tracers as particles.
inline const std::string water = R"(
[run]
steps = 1000
timestep = 0.01
seed = 7
reproducibility = "bitwise"
[box]
size = [6.0, 6.0, 6.0]
[[population]]
name = "water"
species = "W"
count = 648
[[interaction]]
between = "*"
style = "dpd"
a = 25.0
gamma = 4.5
)";
inline const std::string dyeInWater = water + R"(
[[population]]
name = "dye"
kind = "tracers"
count = 648
diffusion = 0.3
velocity = [0.5, 0.0, -1.0]
)";

inline input::Deck checkedDeck(const std::string& text, const std::vector<std::string>& overrides = {}) {
  auto result = input::parseDeckText(text, "deck.toml", overrides);
  for (const auto& d : result.diagnostics) ADD_FAILURE() << input::format(d, "deck.toml");
  for (const auto& d : input::checkPhysics(result.deck)) ADD_FAILURE() << input::format(d, "deck.toml");
  return std::move(result.deck);
}

// Steps first to last, as a run does them; the last one observed.
inline void advanceTo(Engine& engine, i64 first, i64 last) {
  for (i64 step = first; step <= last; ++step) {
    engine.rebuildIfDue(step);
    engine.advance(step, {.thermo = step == last, .velocities = step == last});
  }
}

inline double msdOf(const Engine& engine) { return engine.quantities().at("tracer_msd"); }

}  // namespace mesowarp::test
