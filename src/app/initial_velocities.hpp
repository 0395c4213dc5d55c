// Velocities of an initial state.
#pragma once

#include <vector>

#include "app/host_particles.hpp"

namespace mesowarp {

// The particles of one population: tags first ... last - 1. fresh: their velocities are to be drawn; else they come from a
// file and stay as they are.
struct PopulationRun {
  const input::Population* population;
  i64 first, last;
  bool fresh;
};

// Maxwell velocities; net momentum removed and, where all share one temperature, scaled to it exactly; then the velocity of
// the population as a whole. The runs follow each other and cover all particles.
void giveVelocities(HostParticles& particles, const input::Deck& deck, const std::vector<PopulationRun>& runs);

}  // namespace mesowarp
