// [[inflow]]: where particles are given the velocities of a flow that comes from outside.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp {

enum class InflowProfile { plug, slit, tube };

struct InflowKeys {
  static constexpr const char* block = "inflow";
  int along = 0;                // axis of the flow
  double from = 0.0, to = 0.0;  // planes across it, length
  double velocity = 0.0;        // mean over the cross-section, length / time
  InflowProfile profile = InflowProfile::plug;
  int across = 2;                   // slit: axis between its walls
  double lower = 0.0, upper = 0.0;  // slit: places of its walls, length
  std::array<double, 3> center{};   // tube: a point of its axis
  double radius = 0.0;              // tube
  double rate = 0.0;                // 1 / time
  double temperature = -1.0;        // k_BT; the parser fills in run.temperature
  std::int64_t every = 1;           // steps
  double integral = -1.0;           // 1 / time; the parser fills in
};

inline std::vector<InflowKeys> inflowsOf(const input::Deck& deck) {
  std::vector<InflowKeys> all;
  for (const input::OwnItem& item : input::itemsOf(deck, InflowKeys::block)) all.push_back(item.own.get<InflowKeys>());
  return all;
}

inline std::string inflowPhase(std::size_t k) { return "inflow " + std::to_string(k + 1); }
inline std::string inflowControlPhase(std::size_t k) { return inflowPhase(k) + " control"; }

// Steps between two looks of the controller: about twenty, and such as have a kick.
inline std::int64_t inflowLooksEvery(const InflowKeys& keys) {
  constexpr std::int64_t usual = 20;
  return keys.every >= usual ? keys.every : usual / keys.every * keys.every;
}

constexpr const char* inflowColumns = "inflows";  // a word of output.columns: those of each [[inflow]]

inline std::vector<std::string> inflowColumnsOf(std::size_t k) {
  const std::string name = "inflow" + std::to_string(k + 1);
  return {name + "_velocity", name + "_force"};
}

// Whether these columns are of one of them: means over steps.
inline bool anyOfInflows(const std::vector<std::string>& columns) {
  return std::any_of(columns.begin(), columns.end(),
                     [](const std::string& column) { return column.rfind("inflow", 0) == 0; });
}

}  // namespace mesowarp
