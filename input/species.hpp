// Which species there are, and what acts between them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::input {

// Styles of [[interaction]] beside those of deck.hpp.
struct FurtherStyle {
  static constexpr const char *dpdThermostat = "dpd-thermostat", *soft = "soft", *table = "table", *morse = "morse",
                              *manyBody = "many-body";
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

// Whether it acts between particles of different molecules alone: what bonds join, or a cell of a membrane.
struct MoleculeScope {
  bool different = false;
};
inline bool betweenMolecules(const Interaction& interaction) { return interaction.own.get<MoleculeScope>().different; }
// Whether some interaction of the deck does, so that particles need their molecule's number.
bool anyBetweenMolecules(const Deck& deck);
// A force between molecules adds to one of its style between all particles.
inline std::string familyOf(const Interaction& interaction) {
  return familyOf(interaction.style) + (betweenMolecules(interaction) ? " between molecules" : "");
}

// Species that a population may hold, in order of appearance.
std::vector<std::string> speciesOf(const Population& population);

// Of all populations; a species' number is its place here.
std::vector<std::string> speciesOf(const std::vector<Population>& populations);

// Species of a polymer's beads, one a letter of its blocks.
std::vector<std::string> beadSpecies(const Population& polymer);

// The last block that names both species, or null.
const Interaction* pairInteraction(const Deck& deck, const std::string& a, const std::string& b);
// All that act between two species, together: of each family of styles the last block that names them.
std::vector<const Interaction*> interactionsOf(const Deck& deck, const std::string& a, const std::string& b);
// That of them which has friction and noise, or null.
const Interaction* dpdInteraction(const Deck& deck, const std::string& a, const std::string& b);

// How far an interaction reaches, length.
double reachOf(const Interaction& interaction);
// The largest of those that act between any two species, which is how far pairs are known; those that later ones
// replace do not count. Of all, where no species are known yet or none acts.
double largestCutoff(const Deck& deck);

// [[species]]: what its particles have in common, whatever population they are of.
struct SpeciesKeys {
  static constexpr const char* block = "species";
  std::string name;
  double mass = -1.0;   // below 0: that of its population
  bool frozen = false;  // keeps its places and velocities
};
// The block of a species, or null.
const SpeciesKeys* speciesKeys(const Deck& deck, const std::string& species);

// Mass of the species: of its own block, or of the first population that may hold it.
double massOf(const Deck& deck, const std::string& species);
// Of the lightest and of the heaviest particles that a population may hold, of those species that are named ("*" and
// none: all).
std::array<double, 2> massesOf(const Deck& deck, const Population& population,
                               const std::vector<std::string>& named = {});
// Whether its block says so, or that of a population that is frozen as a whole.
bool isFrozen(const Deck& deck, const std::string& species);

}  // namespace mesowarp::input
