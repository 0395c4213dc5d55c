// Chains whose beads must not overlap at the start, or not be in walls.
#pragma once

#include "start/host_particles.hpp"

namespace mesowarp::fluid {

// Places the polymers that ask for it (population.apart) anew, as self-avoiding walks, and beside walls all of them,
// with no bead in a wall and no bond through one: one bead after the other, numbers keyed by tags, so they are the same
// on any number of threads and ranks. All populations' particles, in the order of their tags. Throws InputError: there
// is no room.
void placeChains(const input::Deck& deck, const Populations& populations, HostParticles& particles);

}  // namespace mesowarp::fluid
