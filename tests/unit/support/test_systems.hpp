// Small systems for tests of the engine: decks by hand, particles, and driving an engine as the program does.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "physics/fluid/fluid.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp::test {

constexpr input::Precision allPrecisions[] = {input::Precision::single, input::Precision::mixed,
                                              input::Precision::double_};

// For the name of a test.
inline std::string titleOf(input::Precision precision) {
  return precision == input::Precision::single ? "Single" : precision == input::Precision::mixed ? "Mixed" : "Double";
}

struct System {
  input::Deck deck;
  HostParticles particles;

  std::unique_ptr<Engine> engine(SortStyle sort = backend::defaultSort) const {
    return startEngine(deck, particles, sort);
  }
};

// A deck without interactions; species of unit mass unless given.
inline input::Deck emptyDeck(std::array<double, 3> size, input::Precision precision, double timestep,
                             const std::vector<std::pair<std::string, double>>& species = {{"A", 1.0}}) {
  input::Deck deck;
  deck.run.timestep = timestep;
  deck.run.precision = precision;
  deck.run.seed = 2024;
  deck.box.size = size;
  for (const auto& [name, mass] : species) {
    input::Population population;
    population.name = population.species = name;
    population.mass = mass;
    deck.populations.push_back(population);
    deck.species.push_back(name);
  }
  return deck;
}

inline void addDpd(input::Deck& deck, const std::string& a, const std::string& b, double repulsion, double gamma,
                   double sigma, double cutoff = 1.0, double exponent = 1.0) {
  input::Interaction in;
  in.between = {a, b};
  in.a = repulsion, in.gamma = gamma, in.sigma = sigma, in.cutoff = cutoff, in.exponent = exponent;
  deck.interactions.push_back(in);
}

inline void addLennardJones(input::Deck& deck, const std::string& a, const std::string& b, double epsilon, double sigma,
                            double cutoff) {
  input::Interaction in;
  in.between = {a, b};
  in.style = input::InteractionStyle::lj;
  in.epsilon = epsilon, in.sigma = sigma, in.cutoff = cutoff;
  deck.interactions.push_back(in);
}

inline void addWca(input::Deck& deck, const std::string& a, const std::string& b, double epsilon, double sigma) {
  addLennardJones(deck, a, b, epsilon, sigma, std::pow(2.0, 1.0 / 6.0) * sigma);
  deck.interactions.back().style = input::InteractionStyle::wca;
}

inline void addBond(input::Deck& deck, input::BondStyle style, double k, double length, bool exclude = false) {
  input::Bond bond;
  bond.style = style, bond.k = k, bond.exclude = exclude;
  (style == input::BondStyle::harmonic ? bond.r0 : bond.r_max) = length;
  deck.bonds.push_back(bond);
}

inline void addWall(input::Deck& deck, int axis, input::FaceStyle low, input::FaceStyle high) {
  deck.box.periodic[axis] = false;
  deck.faces[axis] = {low, high};
}

inline void place(System& system, std::array<double, 3> at, std::array<double, 3> velocity, u32 species = 0) {
  const Box box = boxOf(system.deck);
  system.particles.position.push_back({toFixed(box, 0, at[0]), toFixed(box, 1, at[1]), toFixed(box, 2, at[2])});
  system.particles.velocity.push_back(velocity);
  system.particles.species.push_back(species);
}

// n particles on a cubic lattice, moved by up to `jitter` spacings, in shuffled order; Gaussian velocities of width
// `speed` without net momentum (equal masses); species in turn.
inline void fill(System& system, int n, double jitter, double speed, std::uint64_t seed) {
  Uniform uniform(seed);
  const auto& size = system.deck.box.size;
  std::array<int, 3> sites{1, 1, 1};
  while (sites[0] * sites[1] * sites[2] < n) {
    int widest = 0;
    for (int axis = 1; axis < 3; ++axis)
      if (size[axis] / sites[axis] > size[widest] / sites[widest]) widest = axis;
    ++sites[widest];
  }
  const int all = sites[0] * sites[1] * sites[2];
  std::vector<int> order(all);
  for (int k = 0; k < all; ++k) order[k] = k;
  for (int k = all - 1; k > 0; --k) std::swap(order[k], order[uniform.word() % (k + 1)]);
  const int first = system.particles.count();
  std::array<double, 3> mean{};
  for (int k = 0; k < n; ++k) {
    const std::array<int, 3> site{order[k] % sites[0], order[k] / sites[0] % sites[1],
                                  order[k] / (sites[0] * sites[1])};
    std::array<double, 3> at{}, v{};
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = (site[axis] + 0.5 + jitter * uniform(-1.0, 1.0)) * size[axis] / sites[axis];
      v[axis] = speed * std::sqrt(-2.0 * std::log(1.0 - uniform())) * std::cos(2.0 * M_PI * uniform());
      mean[axis] += v[axis] / n;
    }
    place(system, at, v, static_cast<u32>(k % system.deck.species.size()));
  }
  for (int k = first; k < first + n; ++k)
    for (int axis = 0; axis < 3; ++axis) system.particles.velocity[k][axis] -= mean[axis];
}

// Steps first ... last as the program does them; `wanted` holds for the last.
inline void advance(Engine& engine, i64 first, i64 last, const Wanted& wanted = {}) {
  for (i64 k = first; k <= last; ++k) {
    engine.rebuildIfDue(k);
    engine.advance(k, k == last ? wanted : Wanted{});
  }
}

constexpr Wanted everything{true, true, true, true};

}  // namespace mesowarp::test
