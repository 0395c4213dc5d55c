// Decks of a collision solvent, and what they do in steps.
#pragma once

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "physics/methods.hpp"
#include "physics/mpcd/collision_settings.hpp"
#include "physics/mpcd/sharing/border_sums.hpp"

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

// The cell that a place is in, of the grid as it lies at a step.
class CellNumbers {
public:
  CellNumbers(const input::Deck& deck, i64 step)
      : size_(deck.box.size), cells_(mpcd::cellsOf(deck)),
        shift_(mpcd::shiftOf(mpcd::spanOf({}, cells_, 2), deck.run.seed, step)) {}
  u64 operator()(const std::array<double, 3>& x) const {
    u64 at[3];
    for (std::size_t a = 0; a < 3; ++a) {
      double f = x[a] / size_[a] + shift_.of[a] * 0x1p-32;
      f -= std::floor(f);
      at[a] = static_cast<u64>(f * cells_[a]);
    }
    return (at[2] * static_cast<u64>(cells_[1]) + at[1]) * static_cast<u64>(cells_[0]) + at[0];
  }

private:
  std::array<double, 3> size_;
  std::array<int, 3> cells_;
  GridShift shift_;
};

// Whether 2 E / k_BT of cells' motions relative to their means has the chi-squared distribution of 3 (N - 1) degrees of
// freedom: its mean and variance, over all cells together.
class CellEnergies {
public:
  // twice: 2 E / k_BT of a cell of so many particles.
  void add(double twice, std::size_t particles) {
    const double k = 3.0 * static_cast<double>(particles - 1);
    excess_ += twice - k, meanError_ += 2.0 * k;
    spread_ += (twice - k) * (twice - k) - 2.0 * k, spreadError_ += 8.0 * k * k + 48.0 * k;
  }
  void expectCanonical(const std::string& of = {}) const {
    EXPECT_NEAR(excess_, 0.0, 4.0 * std::sqrt(meanError_)) << of;
    EXPECT_NEAR(spread_, 0.0, 4.0 * std::sqrt(spreadError_)) << of;
  }

private:
  double excess_ = 0.0, meanError_ = 0.0, spread_ = 0.0, spreadError_ = 0.0;
};

}  // namespace mesowarp::test
