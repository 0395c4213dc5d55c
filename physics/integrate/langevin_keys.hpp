// [[thermostat]]: what keeps the particles of a population at a temperature.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp {

struct ThermostatKeys {
  static constexpr const char* block = "thermostat";
  std::string population;
  int style = 0;              // langevin
  double friction = 0.0;      // 1 / time
  double temperature = -1.0;  // k_BT; the parser fills in run.temperature
  std::int64_t every = 1;     // steps
};

inline std::vector<ThermostatKeys> thermostatsOf(const input::Deck& deck) {
  std::vector<ThermostatKeys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, ThermostatKeys::block))
    all.push_back(item.own.get<ThermostatKeys>());
  return all;
}

inline std::string nameOf(const ThermostatKeys& keys) { return "langevin thermostat of " + keys.population; }

}  // namespace mesowarp
