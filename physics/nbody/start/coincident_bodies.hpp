// Bodies in one place, between which a force without softening has no bound.
#pragma once

#include <vector>

#include "physics/nbody/start/host_bodies.hpp"

namespace mesowarp::nbody {

// Throws InputError that names the first two bodies which the arithmetic cannot tell apart, their places in their
// populations and, of a text file, their lines; unless gravity is softened. Excluded pairs may lie in one place.
// firstOf: of each population.
void refuseCoincidentBodies(const input::Deck& deck, const HostBodies& bodies, const std::vector<std::size_t>& firstOf);

}  // namespace mesowarp::nbody
