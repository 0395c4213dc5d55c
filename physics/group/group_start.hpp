// Groups in a population of particles in a box: the field, the phases, who is in them.
#pragma once

#include <memory>

#include "physics/integrate/schedule.hpp"
#include "start/host_particles.hpp"
#include "state/box_population.hpp"
#include "step/engine.hpp"

namespace mesowarp::group {

// Nothing, if the deck has no groups. addPulls: the field, and what pulls, before thermostats; addHolds: what holds
// particles, behind all that changes velocities, and what is measured.
template <class P>
void addPulls(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck,
              const std::shared_ptr<Schedule>& schedule);
template <class P>
void addHolds(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck,
              const std::shared_ptr<Schedule>& schedule);

// For particles that have been uploaded, in the order of `state`. Collective. Throws InputError: nobody is in a group.
template <class P>
void uploadMembers(BoxPopulation<P>& population, const HostParticles& state, const input::Deck& deck);

}  // namespace mesowarp::group
