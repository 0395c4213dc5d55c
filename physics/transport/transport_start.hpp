// Transport in a population of particles in a box: what they begin with, and totals for the table.
#pragma once

#include "input/deck.hpp"
#include "start/host_particles.hpp"
#include "state/box_population.hpp"
#include "step/engine.hpp"

namespace mesowarp::transport {

// Adds what tables want of transport. Nothing, if the deck has none.
template <class P>
void addTo(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck);

// Gives particles that have been uploaded, in the order of `state`, their concentrations.
template <class P>
void uploadConcentrations(BoxPopulation<P>& population, const HostParticles& state, const input::Deck& deck);

}  // namespace mesowarp::transport
