// Steps that keep angular momentum, with walls or without. Included by angular_collisions_*.device.cpp. There is always
// a drive, be it none: half as many passes to compile.
#pragma once

#include "physics/mpcd/angular/angular_rules.hpp"
#include "physics/mpcd/collisions_impl.hpp"

namespace mesowarp::mpcd {

template <class P, class Walls>
std::unique_ptr<Collisions> angularCollisions(SolventOf<P>& solvent, const input::Deck& deck) {
  const CollisionBlock& c = collisionOf(deck);
  if (c.style == CollisionStyle::andersen) {
    AngularAndersenRule<P> rule{{}, static_cast<typename P::Store>(thermalSpeed(deck, solvent.mass()))};
    return std::make_unique<CollisionsOf<P, AngularAndersenRule<P>, true, Walls>>(solvent, deck, rule, nullptr);
  }
  const AngularRotationRule<P> rule{{Rotation<typename P::Real>::of(c.angle * std::numbers::pi / 180.0)}};
  return std::make_unique<CollisionsOf<P, AngularRotationRule<P>, true, Walls>>(solvent, deck, rule, nullptr);
}

template <class P>
std::unique_ptr<Collisions> makeAngularCollisions(SolventOf<P>& solvent, const input::Deck& deck) {
  if (deck.walls.empty()) return angularCollisions<P, NoWalls>(solvent, deck);
  return angularCollisions<P, SolidBoundary<P>>(solvent, deck);
}

}  // namespace mesowarp::mpcd
