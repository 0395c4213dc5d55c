// Which species there are, and what acts between them.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::input {

// Species that a population may hold, in order of appearance.
std::vector<std::string> speciesOf(const Population& population);

// Of all populations; a species' number is its place here.
std::vector<std::string> speciesOf(const std::vector<Population>& populations);

// Species of a polymer's beads, one a letter of its blocks.
std::vector<std::string> beadSpecies(const Population& polymer);

// The interaction between two species: the last block that names them, or null.
const Interaction* pairInteraction(const Deck& deck, const std::string& a, const std::string& b);

// How far an interaction reaches, length; the largest of all.
double reachOf(const Interaction& interaction);
double largestCutoff(const Deck& deck);

// Mass of the first population that may hold the species.
double massOf(const Deck& deck, const std::string& species);

}  // namespace mesowarp::input
