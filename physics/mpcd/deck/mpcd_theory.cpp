#include "physics/mpcd/deck/mpcd_theory.hpp"

#include <cmath>
#include <numbers>

#include "physics/mpcd/deck/mpcd_blocks.hpp"

namespace mesowarp::mpcd {

// M: particles of a cell; M - 1 + exp(-M) is what is left when those that are alone do not collide.
Transport transportOf(const Fluid& f) {
  const double m = f.perCell, meeting = (m - 1.0 + std::exp(-m)) / m, thermal = f.temperature / f.mass;
  Transport t;
  t.meanFreePath = f.time * std::sqrt(thermal);
  t.density = m * f.mass / (f.cell * f.cell * f.cell);
  if (f.style == CollisionStyle::srd) {
    const double alpha = f.angle * std::numbers::pi / 180.0, c = std::cos(alpha), c2 = std::cos(2.0 * alpha);
    t.kineticViscosity = 0.5 * thermal * f.time * (5.0 / (meeting * (2.0 - c - c2)) - 1.0);
    t.collisionViscosity = f.cell * f.cell / (18.0 * f.time) * meeting * (1.0 - c);
    t.diffusion = 0.5 * thermal * f.time * (3.0 / (meeting * (1.0 - c)) - 1.0);
  } else {
    t.kineticViscosity = thermal * f.time * (1.0 / meeting - 0.5);
    t.collisionViscosity = f.cell * f.cell / (12.0 * f.time) * meeting;
    t.diffusion = thermal * f.time * (1.0 / meeting - 0.5);
  }
  return t;
}

Transport transportOf(const input::Deck& deck) {
  const input::Population& solvent = *input::populationsOf(deck, mpcdBlocks()).front();
  const CollisionBlock& c = collisionOf(deck);
  return transportOf({c.style, perCell(deck, solvent, input::particleCount(solvent, deck.box)), solvent.mass, deck.run.temperature, collisionTime(deck), c.cell, c.angle});
}

}  // namespace mesowarp::mpcd
