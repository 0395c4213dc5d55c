// Who is inside of a membrane at the start.
#pragma once

#include "input/deck.hpp"
#include "start/host_particles.hpp"

namespace mesowarp::membrane {

// Particles of a membrane's outside species that lie in one of its cells become particles of its inside species, at the
// same temperature. All populations' particles, in the order of their tags, with cells where they start.
void fillCells(const input::Deck& deck, HostParticles& particles);

}  // namespace mesowarp::membrane
