// Walls around a collision solvent, as decks have them: [[wall]] blocks (physics/boundary).
#pragma once

#include "input/grammar/diagnostic.hpp"
#include "input/read_blocks.hpp"
#include "physics/boundary/deck/solid_text.hpp"

namespace mesowarp::mpcd {

// Cells that the surface cuts, wherever the grid is, have their corner within a cell's diagonal of it.
boundary::SolidReach reachOfCells(const input::Deck& deck);
// Throws SolidError.
boundary::SolidParts solidAround(const input::Deck& deck);
// What no particle's speed reaches, between walls that move, too, whose surface gives it twice its velocity: a thermal
// one is so much faster once in 10^30.
double speedLimit(const input::Deck& deck);
// What hardly a particle's speed reaches, unless a drive has made the solvent fast: a thermal one is
// so much faster once in 10^11.
double usualSpeed(const input::Deck& deck);

// How many times as dense as the solvent cells may be, with virtual particles.
double crowding(const input::Deck& deck);

// How much room the solvent has.
void completeWalls(input::BlocksRead& read);
void checkWalls(const input::Deck& deck, input::Report& report);

}  // namespace mesowarp::mpcd
