// What fluids around walls start from: a fluid of the deck's density that fills a whole periodic block, and is
// equilibrated by a short run of its own; from copies of it particles in the fluid's region are taken as the fluid's
// start, and those in the solid, as deep as forces reach, as walls' frozen particles. So frozen particles have the
// fluid's own density and g(r).
#pragma once

#include "start/host_particles.hpp"

namespace mesowarp::fluid {

// All of it, on one rank. blockEdge: of the block, in cutoffs; 0: by the size of the box. Throws InputError, RunError.
HostParticles makeWalledState(const input::Deck& deck, const Populations& populations, double blockEdge = 0.0);

// Gives frozen particles in walls the walls' velocities, and refuses others that are in there. Throws InputError.
void fitToWalls(const input::Deck& deck, HostParticles& particles);

}  // namespace mesowarp::fluid
