// [[thermostat]]: what keeps the particles of a population at a temperature.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/species.hpp"

namespace mesowarp {

struct ThermostatKeys {
  static constexpr const char* block = "thermostat";
  std::string population;            // empty: species
  std::vector<std::string> species;  // whose particles it acts on, of whatever population
  int style = 0;                     // langevin
  double friction = 0.0;             // 1 / time
  double temperature = -1.0;         // k_BT; the parser fills in run.temperature
  std::int64_t every = 1;            // steps
};

inline std::vector<ThermostatKeys> thermostatsOf(const input::Deck& deck) {
  std::vector<ThermostatKeys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, ThermostatKeys::block))
    all.push_back(item.own.get<ThermostatKeys>());
  return all;
}

// The species that it acts on.
inline std::vector<std::string> heldBy(const ThermostatKeys& keys, const input::Deck& deck) {
  if (!keys.species.empty()) return keys.species;
  for (const input::Population& p : deck.populations)
    if (p.name == keys.population) return input::speciesOf(p);
  return {};
}

inline std::string nameOf(const ThermostatKeys& keys) {
  std::string name = "langevin thermostat of " + keys.population;
  for (const std::string& species : keys.species) name += (&species == &keys.species.front() ? "" : ", ") + species;
  return name;
}

}  // namespace mesowarp
