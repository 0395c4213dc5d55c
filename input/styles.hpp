// Styles of [[interaction]] beside those of deck.hpp, and which of them act together on one pair of species.
#pragma once

#include <string>

#include "input/deck.hpp"

namespace mesowarp::input {

struct FurtherStyle {
  static constexpr const char *dpdThermostat = "dpd-thermostat", *soft = "soft", *table = "table";
};

// The DPD pair force of physics/pair/dpd.hpp, with its repulsion or without.
inline bool isPairDpd(const std::string& style) {
  return style == InteractionStyle::dpd || style == FurtherStyle::dpdThermostat;
}
// Whether it has DPD's friction and noise, sigma^2 = 2 gamma k_BT.
inline bool hasDpdNoise(const Interaction& interaction) {
  return isDpd(interaction) || interaction.style == FurtherStyle::dpdThermostat;
}

// Blocks of different families add up on a pair of species; of one family the last one acts: two frictions would share
// one noise, and a pair has one set of Lennard-Jones parameters.
inline std::string familyOf(const std::string& style) {
  if (isPairDpd(style) || style == InteractionStyle::tdpd) return InteractionStyle::dpd;
  return style == InteractionStyle::wca ? InteractionStyle::lj : style;
}

}  // namespace mesowarp::input
