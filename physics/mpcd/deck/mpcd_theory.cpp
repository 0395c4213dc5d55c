#include "physics/mpcd/deck/mpcd_theory.hpp"

#include <cmath>
#include <numbers>

#include "physics/mpcd/deck/solvents.hpp"

namespace mesowarp::mpcd {

// M: particles of a cell; M - 1 + exp(-M) is what is left when those that are alone do not collide.
namespace {

// What collisions that keep angular momentum leave of a velocity, of the product of two components, and of their
// collisional stress, in three dimensions, to the order of 1 / M: of N particles the rigid motions are 6 of 3 N, and
// have 5 / (4 N) of the stress. keep: what a rotation leaves of a velocity; of the stress.
struct Kept {
  double velocity, stress, transfer;
  Kept(double m, double keepVelocity, double keepStress) {
    const double rigid = m > 1.25 ? 1.25 / m : 1.0, all = m > 2.0 ? 2.0 / m : 1.0;
    velocity = all + keepVelocity * (1.0 - all);
    stress = rigid + 2.0 * keepVelocity * (all - rigid) + keepStress * (1.0 - 2.0 * all + rigid);
    transfer = (1.0 - keepVelocity) * (m > 1.9 ? (m - 1.9) / m : 0.0);
  }
};

}  // namespace

TransportCoefficients transportOf(const Fluid& f) {
  const double m = f.perCell, meeting = (m - 1.0 + std::exp(-m)) / m, thermal = f.temperature / f.mass;
  TransportCoefficients t;
  t.meanFreePath = f.time * std::sqrt(thermal);
  t.density = m * f.mass / (f.cell * f.cell * f.cell);
  if (f.angular) {
    const double alpha = f.angle * std::numbers::pi / 180.0, c = std::cos(alpha), c2 = std::cos(2.0 * alpha);
    const bool turns = f.style == CollisionStyle::srd;
    const Kept kept(m, turns ? (1.0 + 2.0 * c) / 3.0 : 0.0, turns ? 1.0 - 0.4 * (2.0 - c - c2) : 0.0);
    t.kineticViscosity = thermal * f.time * (1.0 / (1.0 - kept.stress) - 0.5);
    t.collisionViscosity = f.cell * f.cell / (24.0 * f.time) * kept.transfer;
    t.diffusion = thermal * f.time * (1.0 / (1.0 - kept.velocity) - 0.5);
  } else if (f.style == CollisionStyle::srd) {
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

TransportCoefficients transportOf(const input::Deck& deck) {
  const CollisionBlock& c = collisionOf(deck);
  return transportOf(
      {c.style, perCell(deck), meanMass(deck), deck.run.temperature, collisionTime(deck), c.cell, c.angle, c.angular});
}

}  // namespace mesowarp::mpcd
