// [[thermostat]]: what keeps the particles of a population, of some species or of a group at a temperature.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/species.hpp"
#include "physics/group/deck/group_keys.hpp"

namespace mesowarp {

struct ThermostatKeys {
  static constexpr const char* block = "thermostat";
  enum Style { langevin, loweAndersen };
  std::string population;            // or species, or group
  std::vector<std::string> species;  // whose particles it acts on, of whatever population
  std::string group;
  int style = langevin;
  double friction = 0.0;      // langevin, 1 / time
  double rate = 0.0;          // lowe-andersen: of collisions of a pair, 1 / time
  double cutoff = -1.0;       // of those, length; the parser fills in the longest of the pair forces
  double temperature = -1.0;  // k_BT; the parser fills in run.temperature

  bool ofPairs() const { return style == loweAndersen; }
  std::int64_t every = 1;  // steps
};

inline std::vector<ThermostatKeys> thermostatsOf(const input::Deck& deck) {
  std::vector<ThermostatKeys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, ThermostatKeys::block))
    all.push_back(item.own.get<ThermostatKeys>());
  return all;
}

inline bool hasPairThermostat(const input::Deck& deck) {
  const auto all = thermostatsOf(deck);
  return std::any_of(all.begin(), all.end(), [](const ThermostatKeys& keys) { return keys.ofPairs(); });
}

// The species that it acts on, or some of whose particles it does.
inline std::vector<std::string> heldBy(const ThermostatKeys& keys, const input::Deck& deck) {
  if (!keys.species.empty()) return keys.species;
  if (!keys.group.empty()) {
    for (const auto& g : group::allOf<group::GroupKeys>(deck))
      if (g.name == keys.group) return group::speciesIn(deck, g);
    return {};
  }
  for (const input::Population& p : deck.populations)
    if (p.name == keys.population) return input::speciesOf(p);
  return {};
}

inline std::string nameOf(const ThermostatKeys& keys) {
  std::string name = keys.ofPairs() ? "lowe-andersen" : "langevin";
  name += " thermostat of " + keys.population + keys.group;
  for (const std::string& species : keys.species) name += (&species == &keys.species.front() ? "" : ", ") + species;
  return name;
}

}  // namespace mesowarp
