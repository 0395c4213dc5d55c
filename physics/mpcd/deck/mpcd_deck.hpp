// What decks of a multiparticle collision solvent have beside what all decks have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::mpcd {

enum class CollisionStyle { srd, andersen };
enum class CellThermostat { none, maxwell_boltzmann };

// [collision]
struct CollisionBlock {
  CollisionStyle style = CollisionStyle::srd;
  double angle = 130.0;                              // srd: degrees
  std::int64_t every = 1;                            // steps
  double cell = 1.0;                                 // edge, length
  CellThermostat thermostat = CellThermostat::none;  // srd
  bool angular = false;                              // angular momentum is conserved
  double virtualDensity = 2.5;                       // of virtual particles at walls, in that of the solvent
  std::int64_t sort = 22;                            // collisions between two sorts
  std::vector<std::string> embedded;                 // populations that collide with the solvent
};
inline const CollisionBlock& collisionOf(const input::Deck& deck) { return deck.own.get<CollisionBlock>(); }

// What of the box is no solid: part of it. Completion fills it in.
struct SolventRoom {
  double part = 1.0;
};
inline double roomOf(const input::Population& solvent) { return solvent.own.get<SolventRoom>().part; }

// Numbers that follow from a deck.
inline double collisionTime(const input::Deck& deck) {
  return static_cast<double>(collisionOf(deck).every) * deck.run.timestep;
}
// What no particle's speed reaches, by far: a thermal one does once in 10^56.
// thermal: how many times the spread of a component.
inline double speedLimit(const input::Population& solvent, double temperature, double thermal = 16.0) {
  double drift = 0.0;
  for (const double v : solvent.velocity) drift += v * v;
  const double hottest = solvent.temperature > temperature ? solvent.temperature : temperature;
  return thermal * __builtin_sqrt(hottest / solvent.mass) + __builtin_sqrt(drift);
}

}  // namespace mesowarp::mpcd
