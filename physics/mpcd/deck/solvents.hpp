// The solvent's species: the deck's populations of it, one after the other. Tags follow each other in this order.
#pragma once

#include <cstdint>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::mpcd {

std::vector<const input::Population*> solventsOf(const input::Deck& deck);
// The first one: cells' sums count masses in its particles'.
const input::Population& solventOf(const input::Deck& deck);
std::int64_t solventCount(const input::Deck& deck);
// Particles of a cell without solid, on the average: of one species, and of all.
double perCell(const input::Deck& deck, const input::Population& solvent);
double perCell(const input::Deck& deck);
// Between two collisions, of a thermal particle: length.
double meanFreePath(const input::Population& solvent, const input::Deck& deck);
// Of a coordinate in 32-bit storage, a fraction of the box.
constexpr int positionBits = 24;
// Mean mass of a particle.
double meanMass(const input::Deck& deck);
// The largest that run.temperature is at some step.
double hottest(const input::Deck& deck);
// Whether they have different masses. If not, species are names alone.
bool isMixture(const input::Deck& deck);

// A mass as the sums of cells hold it, in particles of the first species: a multiple of 2^-40.
double heldMass(const input::Deck& deck, const input::Population& solvent);
const input::Population& lightest(const input::Deck& deck);
// Of the heaviest species, in particles of the first.
double heaviest(const input::Deck& deck);

}  // namespace mesowarp::mpcd
