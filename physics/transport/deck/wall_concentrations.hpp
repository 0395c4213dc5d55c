// [[wall_concentration]]: what a wall does to a solute. No Kokkos.
#pragma once

#include <string>
#include <vector>

#include "input/complete.hpp"
#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::transport {

struct WallConcentration {
  std::string wall, solute;
  bool noFlux = false;
  double value = 0.0;  // concentration at the surface
};

std::vector<WallConcentration> wallConcentrationsOf(const input::Deck& deck);

// Species of the frozen particles of walls that nothing of some solute passes.
std::vector<std::string> closedSpecies(const input::Deck& deck);
// Of walls of frozen particles: fluxes with what nothing passes have kappa = 0, in the blocks that name their species.
void closeWalls(input::Deck& deck);
void checkWallConcentrations(const input::Deck& deck, input::Report& report);

// The value that frozen particles of a species keep; null: no wall says.
const WallConcentration* wallConcentrationOf(const input::Deck& deck, const std::vector<WallConcentration>& all,
                                             const std::string& species, const std::string& solute);

}  // namespace mesowarp::transport
