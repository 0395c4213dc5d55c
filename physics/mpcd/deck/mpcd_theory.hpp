// Transport coefficients of a multiparticle collision solvent from its parameters, in three dimensions, with random
// shifts of the grid, with and without conservation of angular momentum.
//
// Stochastic rotation: Ihle, Tüzel & Kroll, Phys. Rev. E 72, 046707 (2005), and the review of Gompper, Ihle, Kroll &
// Winkler, Adv. Polym. Sci. 221, 1 (2009). Andersen: Noguchi & Gompper, Phys. Rev. E 78, 016706 (2008).
#pragma once

#include "physics/mpcd/deck/mpcd_deck.hpp"

namespace mesowarp::mpcd {

struct TransportCoefficients {
  double meanFreePath = 0.0;        // time between collisions * thermal velocity, length
  double kineticViscosity = 0.0;    // kinematic, of streaming: length^2 / time
  double collisionViscosity = 0.0;  // kinematic, of collisions
  double diffusion = 0.0;           // of a particle, from molecular chaos: what vortices add to it is not there
  double density = 0.0;             // mass / volume

  double kinematic() const { return kineticViscosity + collisionViscosity; }
  double viscosity() const { return density * kinematic(); }
  double schmidt() const { return kinematic() / diffusion; }
};

struct Fluid {
  CollisionStyle style;
  double perCell, mass, temperature, time, cell, angle;  // angle: degrees
  bool angular = false;
};
TransportCoefficients transportOf(const Fluid& fluid);
// Of the deck's solvent; of a mixture, as if all its particles had their mean mass.
TransportCoefficients transportOf(const input::Deck& deck);

}  // namespace mesowarp::mpcd
