// Decks of a collision solvent, and what they do in steps.
#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "physics/methods.hpp"

namespace mesowarp::test {

// The MPCD paper's, in a box whose axes differ.
inline const std::string solvent = R"(
[run]
steps = 1000
timestep = 0.1
seed = 7
[box]
size = [12.0, 10.0, 14.0]
[[population]]
name = "solvent"
kind = "mpcd"
density = 10.0
[collision]
style = "srd"
)";

inline input::Deck solventDeck(const std::vector<std::string>& overrides = {}, const std::string& text = solvent) {
  auto result = input::parseDeckText(text, "deck.toml", overrides);
  for (const auto& d : result.diagnostics) ADD_FAILURE() << input::format(d, "deck.toml");
  for (const auto& d : input::checkPhysics(result.deck))
    if (!d.warning) ADD_FAILURE() << input::format(d, "deck.toml");
  return std::move(result.deck);
}

// Steps first to last, as a run does them; the last one observed.
inline void solventSteps(Engine& engine, i64 first, i64 last) {
  for (i64 step = first; step <= last; ++step) {
    engine.rebuildIfDue(step);
    engine.advance(step, {.thermo = step == last, .velocities = step == last, .snapshot = step == last});
  }
  if (const auto failure = engine.failure()) ADD_FAILURE() << *failure;
}

}  // namespace mesowarp::test
