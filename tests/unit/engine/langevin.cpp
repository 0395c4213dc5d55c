// The Langevin thermostat of a population in a box: particles without forces have the temperature, the memory and the
// displacements of theory; bits do not depend on what is looked at; chains that must not overlap do not at the start.
#include <cmath>
#include <gtest/gtest.h>

#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "physics/methods.hpp"

namespace mesowarp::test {
namespace {

const std::string gas = R"(
[run]
steps = 100000
timestep = 0.01
seed = 4
temperature = 1.5
[box]
size = [10.0, 9.0, 8.0]
[[population]]
name = "held"
species = "A"
count = 3000
mass = 2.0
temperature = 0.3
[[population]]
name = "free"
species = "B"
count = 50
[[interaction]]
between = "*"
style = "dpd"
a = 0.0
gamma = 0.0
[[thermostat]]
population = "held"
friction = 2.0
every = 4
)";

input::Deck deckOf(const std::vector<std::string>& overrides, const std::string& text = gas) {
  auto result = input::parseDeckText(text, "deck.toml", overrides);
  for (const auto& d : result.diagnostics) ADD_FAILURE() << input::format(d, "deck.toml");
  for (const auto& d : input::checkPhysics(result.deck))
    if (!d.warning) ADD_FAILURE() << input::format(d, "deck.toml");
  return std::move(result.deck);
}
void advance(Engine& engine, i64 first, i64 last) {
  for (i64 step = first; step <= last; ++step) {
    engine.rebuildIfDue(step);
    engine.advance(step, {.thermo = false, .velocities = step == last, .snapshot = step == last});
  }
  if (const auto failure = engine.failure()) ADD_FAILURE() << *failure;
}

// Positions with images; by tag.
struct State {
  std::vector<std::array<double, 3>> x, v;
  State(const Engine& engine, i64 step, const input::Deck& deck) {
    const io::Snapshot s = engine.snapshot(step);
    x.resize(s.tag.size()), v.resize(s.tag.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        const auto tag = static_cast<std::size_t>(s.tag[i]);
        x[tag][a] = s.position[3 * i + a] + s.image[3 * i + a] * deck.box.size[a];
        v[tag][a] = s.velocity[3 * i + a];
      }
  }
};

// Kicks every h = 0.04, c = exp(-gamma h): <v(0) v(n h)> = c^n k_BT / m; displacements between two kicks are v h, so
// <x^2> = (k_BT / m) h^2 (n + 2 sum_k (n - k) c^k).
TEST(LangevinThermostat, MovesFreeParticlesAsTheorySays) {
  for (const char* precision : {"single", "mixed", "double"}) {
    const input::Deck deck = deckOf({std::string("run.precision=") + precision});
    const auto engine = engineOfDeck(deck);
    advance(*engine, 0, 400);  // 8 decay times
    const State first(*engine, 400, deck);
    advance(*engine, 401, 440);
    const State soon(*engine, 440, deck);
    advance(*engine, 441, 800);
    const State late(*engine, 800, deck);
    const double n = 9000.0, thermal = 1.5 / 2.0, c = std::exp(-2.0 * 0.04), h = 0.04;
    double square = 0.0, fourth = 0.0, product = 0.0, moved = 0.0;
    for (std::size_t i = 0; i < 3000; ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        const double v = first.v[i][a] / std::sqrt(thermal), d = late.x[i][a] - first.x[i][a];
        square += v * v / n, fourth += v * v * v * v / n;
        product += v * soon.v[i][a] / std::sqrt(thermal) / n, moved += d * d / n;
      }
    const double memory = std::pow(c, 10);
    double expected = 100.0;
    for (int k = 1; k < 100; ++k) expected += 2.0 * (100 - k) * std::pow(c, k);
    expected *= thermal * h * h;
    EXPECT_NEAR(square, 1.0, 4.0 * std::sqrt(2.0 / n)) << precision;
    EXPECT_NEAR(fourth, 3.0, 4.0 * std::sqrt(96.0 / n)) << precision;
    EXPECT_NEAR(product, memory, 4.0 * std::sqrt((1.0 + memory * memory) / n)) << precision;
    EXPECT_NEAR(moved, expected, 4.0 * expected * std::sqrt(2.0 / n)) << precision;
    for (std::size_t i = 3000; i < 3050; ++i)
      for (std::size_t a = 0; a < 3; ++a) EXPECT_EQ(late.v[i][a], first.v[i][a]);  // of another population
  }
}

TEST(LangevinThermostat, LookingChangesNothing) {
  const input::Deck deck = deckOf({"run.reproducibility=bitwise", "interaction.0.a=25"});
  const auto watched = engineOfDeck(deck), alone = engineOfDeck(deck);
  for (i64 step = 0; step <= 30; ++step) advance(*watched, step, step);
  advance(*alone, 0, 30);
  EXPECT_EQ(watched->stateHash(), alone->stateHash());
}

TEST(ChainStart, KeepsBeadsApart) {
  const std::string chains = R"(
[run]
steps = 10
timestep = 0.002
seed = 2
[box]
size = [9.0, 8.0, 10.0]
[[population]]
name = "long"
kind = "polymer"
blocks = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
count = 5
bond_length = 0.97
apart = 0.95
[[population]]
name = "short"
kind = "polymer"
blocks = "AA"
count = 20
bond_length = 1.1
apart = 0.9
[[bond]]
population = "long"
style = "fene"
k = 30.0
r_max = 1.5
[[bond]]
population = "short"
style = "fene"
k = 30.0
r_max = 1.5
[[interaction]]
between = "*"
style = "wca"
)";
  const input::Deck deck = deckOf({}, chains);
  const auto engine = engineOfDeck(deck);
  advance(*engine, 0, 0);
  const State s(*engine, 0, deck);
  ASSERT_EQ(s.x.size(), 190u);
  const auto distance = [&](std::size_t i, std::size_t j, bool nearest) {
    double squared = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      double d = s.x[i][a] - s.x[j][a];
      if (nearest) d -= deck.box.size[a] * std::round(d / deck.box.size[a]);
      squared += d * d;
    }
    return std::sqrt(squared);
  };
  for (std::size_t i = 0; i < 190; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GE(distance(i, j, true), (i < 150 ? 0.95 : 0.9) - 1e-6) << i << ' ' << j;
  for (std::size_t i = 1; i < 150; ++i)
    if (i % 30 != 0) {
      EXPECT_NEAR(distance(i - 1, i, false), 0.97, 1e-6);  // images make chains whole
    }
  for (std::size_t i = 150; i < 190; i += 2) EXPECT_NEAR(distance(i, i + 1, false), 1.1, 1e-6);
}

}  // namespace
}  // namespace mesowarp::test
