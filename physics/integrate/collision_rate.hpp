// How often pairs must be chosen for a thermostat of pairs to have its rate (physics/integrate/lowe_andersen.hpp). No
// Kokkos.
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/integrate/langevin_keys.hpp"

namespace mesowarp {

struct PairChoice {
  int rounds = 1;
  double probability = 0.0;  // of a pair to be a candidate in each
};
constexpr int mostRounds = 16;
constexpr double mostOfARound = 0.1;                          // collisions of a particle
constexpr double mostCollisions = mostRounds * mostOfARound;  // of a particle between two calls

// Of a particle in a time; density: of particles that may collide, length^-3.
inline double neighborsOf(const ThermostatKeys& keys, double density) {
  return 4.0 / 3.0 * 3.14159265358979323846 * keys.cutoff * keys.cutoff * keys.cutoff * density;
}
inline double collisionsOf(const ThermostatKeys& keys, double time, double density) {
  return neighborsOf(keys, density) * keys.rate * time;
}

// x exp(-x) = y for y up to 0.2, x below 0.26: x = 2 p n of y = 2 n Gamma t.
inline double chosenOf(double y) {
  double x = y;
  for (int k = 0; k < 60; ++k) x = y * std::exp(x);
  return x;
}
// time: between two calls.
inline PairChoice choiceOf(const ThermostatKeys& keys, double time, double density) {
  const double all = 2.0 * collisionsOf(keys, time, density), most = 2.0 * mostOfARound;
  PairChoice choice;
  choice.rounds = std::clamp(static_cast<int>(std::ceil(all / most)), 1, mostRounds);
  choice.probability =
      std::min(1.0, chosenOf(std::min(most, all / choice.rounds)) / (2.0 * neighborsOf(keys, density)));
  return choice;
}
inline PairChoice choiceOf(const ThermostatKeys& keys, const input::Deck& deck, double density) {
  return choiceOf(keys, deck.run.timestep * static_cast<double>(keys.every), density);
}

}  // namespace mesowarp
