// Collisions that keep angular momentum where masses differ: of a solvent's species, and of what is embedded in it. In
// each cell, canonical, and the same however they are looked at.
#include <algorithm>

#include "tests/unit/mpcd/particles_in_cells.hpp"

namespace mesowarp::test {
namespace {

using Rule = std::vector<std::string>;

const std::string secondSpecies = R"(
[[population]]
name = "thick"
kind = "mpcd"
density = 0.8
mass = 2.9
)";

struct Case {
  const char* name;
  std::string text;
};

std::vector<Case> cases() {
  const std::string species = R"(
[run]
steps = 1000
timestep = 0.1
seed = 5
precision = "double"
[box]
size = [8.0, 6.0, 7.0]
[[population]]
name = "solvent"
kind = "mpcd"
density = 2.5
mass = 0.5
[collision]
)";
  return {{"species", species + secondSpecies}, {"embedded", mixture}, {"both", mixture + secondSpecies}};
}

std::vector<Rule> rules() {
  return {{"collision.style=srd", "collision.thermostat=maxwell-boltzmann", "collision.conserve_angular_momentum=true"},
          {"collision.style=andersen", "collision.conserve_angular_momentum=true"}};
}

Rule with(Rule rule, const std::string& more) {
  rule.push_back(more);
  return rule;
}

Particles allOf(const Engine& engine, i64 step) {
  if (engine.populations().size() == 2) return particlesOf(engine, step);
  const io::Snapshot s = engine.snapshot(step);
  Particles all(s.tag.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t a = 0; a < 3; ++a) all[i].x[a] = s.position[3 * i + a], all[i].v[a] = s.velocity[3 * i + a];
    all[i].mass = s.mass[i];
  }
  return all;
}

// Of a cell about one of its particles; they may be on two sides of the box's end.
std::array<double, 3> turning(const Particles& all, const Particles& velocities, const std::vector<std::size_t>& cell,
                              const input::Deck& deck) {
  std::array<double, 3> sum{};
  for (const std::size_t i : cell) {
    double r[3];
    for (std::size_t a = 0; a < 3; ++a) {
      r[a] = all[i].x[a] - all[cell[0]].x[a];
      r[a] -= deck.box.size[a] * std::round(r[a] / deck.box.size[a]);
    }
    const auto& v = velocities[i].v;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
      sum[a] += all[i].mass * (r[b] * v[c] - r[c] * v[b]);
    }
  }
  return sum;
}

// The last step before a collision, which nothing but that changes the velocities of, and the collision's.
struct Steps {
  i64 before, collision;
};
Steps stepsOf(const input::Deck& deck) {
  const i64 every = mpcd::collisionOf(deck).every;
  return {3 * every - 1, 3 * every};
}

TEST(AngularMasses, MomentaAreKeptInEachCell) {
  for (const Case& one : cases())
    for (const Rule& rule : rules()) {
      const input::Deck deck = solventDeck(rule, one.text);
      const auto engine = engineOfDeck(deck);
      const Steps steps = stepsOf(deck);
      solventSteps(*engine, 0, steps.before);
      const Particles before = allOf(*engine, steps.before);
      solventSteps(*engine, steps.collision, steps.collision);
      const Particles after = allOf(*engine, steps.collision);
      double worst = 0.0, moved = 0.0, changed = 0.0;
      std::size_t mixed = 0;
      for (const auto& [number, cell] : cellsAt(after, deck, steps.collision)) {
        mixed +=
            std::any_of(cell.begin(), cell.end(), [&](std::size_t i) { return after[i].mass != after[cell[0]].mass; });
        const auto l = turning(after, before, cell, deck), m = turning(after, after, cell, deck);
        const auto u = meanOf(before, cell), w = meanOf(after, cell);
        for (std::size_t a = 0; a < 3; ++a) {
          worst = std::max(worst, std::abs(l[a] - m[a])), moved = std::max(moved, std::abs(u[a] - w[a]));
          for (const std::size_t i : cell) changed += std::abs(after[i].v[a] - before[i].v[a]);
        }
      }
      EXPECT_GT(mixed, 80u) << one.name;
      EXPECT_GT(changed, 100.0) << one.name << ' ' << rule[0];
      EXPECT_LT(moved, 1e-10) << one.name << ' ' << rule[0];
      EXPECT_LT(worst, 1e-8) << one.name << ' ' << rule[0];
    }
}

// 2 E / k_BT of a cell relative to its mean has 3 N - 3 degrees of freedom, the rigid motion's among them.
TEST(AngularMasses, CollisionsAreCanonical) {
  for (const Case& one : cases())
    for (const Rule& rule : rules()) {
      const input::Deck deck = solventDeck(with(rule, "run.temperature=1.7"), one.text);
      const auto engine = engineOfDeck(deck);
      const i64 every = mpcd::collisionOf(deck).every;
      CellEnergies energies;
      i64 done = -1;
      for (i64 step = 40 * every; step <= 240 * every; step += 10 * every) {
        solventSteps(*engine, done + 1, step);
        done = step;
        const Particles all = allOf(*engine, step);
        for (const auto& [number, cell] : cellsAt(all, deck, step)) {
          if (cell.size() < 2) continue;
          const auto u = meanOf(all, cell);
          double energy = 0.0;
          for (const std::size_t i : cell)
            for (std::size_t a = 0; a < 3; ++a)
              energy += all[i].mass * (all[i].v[a] - u[a]) * (all[i].v[a] - u[a]) / 1.7;
          energies.add(energy, cell.size());
        }
      }
      energies.expectCanonical(std::string(one.name) + ' ' + rule[0]);
    }
}

TEST(AngularMasses, LookingAndSortingChangeNothing) {
  for (const Case& one : cases())
    for (const char* precision : {"single", "mixed", "double"})
      for (const Rule& rule : rules()) {
        std::string hash;
        for (const char* sort : {"1", "50"}) {
          const input::Deck deck = solventDeck(
              with(with(with(rule, std::string("run.precision=") + precision), std::string("collision.sort=") + sort),
                   "run.reproducibility=bitwise"),
              one.text);
          const auto engine = engineOfDeck(deck);
          const i64 last = 20;
          if (sort == std::string("1"))
            for (i64 step = 0; step <= last; ++step) solventSteps(*engine, step, step);
          else
            solventSteps(*engine, 0, last);
          if (hash.empty()) hash = engine->stateHash();
          EXPECT_EQ(engine->stateHash(), hash) << one.name << ' ' << precision << ' ' << rule[0];
        }
      }
}

}  // namespace
}  // namespace mesowarp::test
