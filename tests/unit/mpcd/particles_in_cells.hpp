// Particles of several populations, with their masses, and which collision cells they are in.
#pragma once

#include "tests/unit/mpcd/mpcd_decks.hpp"

namespace mesowarp::test {

// Without forces, so that they stream as the solvent does; heavy, light, and some that are not embedded. Many cells
// have nothing but them.
inline const std::string mixture = R"(
[run]
steps = 100000
timestep = 0.02
seed = 11
precision = "double"
[box]
size = [8.0, 6.0, 7.0]
[[population]]
name = "heavy"
species = "H"
count = 150
mass = 6.0
[[population]]
name = "light"
species = "L"
count = 200
mass = 0.3
[[population]]
name = "ghostly"
species = "G"
count = 50
mass = 2.0
[[population]]
name = "solvent"
kind = "mpcd"
density = 1.2
mass = 0.5
[collision]
every = 5
embedded = ["light", "heavy"]
[[interaction]]
between = "*"
style = "dpd"
a = 0.0
gamma = 0.0
)";

struct Particle {
  std::array<double, 3> x, v;
  double mass;  // 0: it does not collide
};
using Particles = std::vector<Particle>;

// Solvent behind the others; the third species of these is not embedded.
inline Particles particlesOf(const Engine& engine, i64 step) {
  Particles all;
  for (std::size_t population : {0, 1}) {
    const io::Snapshot s = engine.snapshot(step, population);
    std::vector<std::size_t> order(s.tag.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[static_cast<std::size_t>(s.tag[i])] = i;
    for (const std::size_t i : order) {
      Particle p{};
      for (std::size_t a = 0; a < 3; ++a) p.x[a] = s.position[3 * i + a], p.v[a] = s.velocity[3 * i + a];
      p.mass = population == 0 && s.species[i] == 2 ? 0.0 : s.mass[i];
      all.push_back(p);
    }
  }
  return all;
}

inline std::map<u64, std::vector<std::size_t>> cellsAt(const Particles& all, const input::Deck& deck, i64 step) {
  const CellNumbers cellOf(deck, step);
  std::map<u64, std::vector<std::size_t>> cells;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!(all[i].mass > 0.0)) continue;
    cells[cellOf(all[i].x)].push_back(i);
  }
  return cells;
}

inline std::array<double, 3> meanOf(const Particles& all, const std::vector<std::size_t>& cell) {
  std::array<double, 3> momentum{};
  double mass = 0.0;
  for (const std::size_t i : cell) mass += all[i].mass;
  for (const std::size_t i : cell)
    for (std::size_t a = 0; a < 3; ++a) momentum[a] += all[i].mass * all[i].v[a] / mass;
  return momentum;
}

}  // namespace mesowarp::test
