// Of a deck with walls: which of its interactions act next to them, and whether the flow between plates that tells
// what walls need (physics/fluid/walled/wall_calibration.hpp) can be of its fluid. No Kokkos.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "input/deck.hpp"

namespace mesowarp::fluid {

// Numbers of the interactions that act between what meets walls: particles of fluids, beads of chains, frozen
// particles. Not those of membranes and of what is in cells; nor what acts between different chains alone, as that
// flow has single beads.
std::set<std::size_t> interactionsAtWalls(const input::Deck& deck);

// Whether particles that start on top of each other come apart by themselves.
bool isSoft(const input::Interaction& interaction);

// Whether the wall leaves its friction to the program.
bool leavesFriction(const input::Wall& wall);

// Whether some wall needs the flow.
bool wantsTrial(const input::Deck& deck);

// Of a deck whose walls need it: why it cannot be all the same, in words; empty: it can.
std::string whyNoTrial(const input::Deck& deck);
// That, with the walls' names and the remedy; empty: no friction is left open by it.
std::string frictionNotFound(const input::Deck& deck);

}  // namespace mesowarp::fluid
