// [relaxation]: a run before the run, in an engine of its own, from which places and images are taken.
#pragma once

#include "comm/communicator.hpp"
#include "start/host_particles.hpp"

namespace mesowarp::fluid {

bool relaxes(const input::Deck& deck);

// Moves particles that overlap apart; velocities stay. All ranks have all particles, and get the same places. First, if
// the deck has forces without a bound, with a soft push-off in their place, then with the deck's own; bonds act in
// both, thermostats, drives, friction and noise in neither. Collective. Throws RunError.
void relax(const input::Deck& deck, HostParticles& particles, const comm::Communicator* ranks);

}  // namespace mesowarp::fluid
