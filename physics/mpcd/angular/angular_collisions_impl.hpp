// Steps that keep angular momentum, with walls or without. Included by angular_collisions_*.device.cpp and
// angular_mixture_*.device.cpp. There is always a drive, be it none: half as many passes to compile.
#pragma once

#include "physics/mpcd/angular/angular_rules.hpp"
#include "physics/mpcd/collisions_impl.hpp"

namespace mesowarp::mpcd {

template <class P, class Walls, class RotationWords, class AndersenWords>
std::unique_ptr<Collisions> angularCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                              std::unique_ptr<SolutesOf<P>> solutes) {
  const CollisionBlock& c = collisionOf(deck);
  if (c.style == CollisionStyle::andersen) {
    using Rule = AngularAndersenRule<P, AndersenWords>;
    const Rule rule{{}, static_cast<typename P::Store>(thermalSpeed(deck, solvent.mass()))};
    return std::make_unique<CollisionsOf<P, Rule, true, Walls>>(solvent, deck, rule, std::move(solutes));
  }
  using Rule = AngularRotationRule<P, RotationWords>;
  const Rule rule{{Rotation<typename P::Real>::of(c.angle * std::numbers::pi / 180.0)}};
  return std::make_unique<CollisionsOf<P, Rule, true, Walls>>(solvent, deck, rule, std::move(solutes));
}

template <class P, class RotationWords, class AndersenWords>
std::unique_ptr<Collisions> angularCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                              std::unique_ptr<SolutesOf<P>> solutes) {
  return deck.walls.empty()
             ? angularCollisions<P, NoWalls, RotationWords, AndersenWords>(solvent, deck, std::move(solutes))
             : angularCollisions<P, SolidBoundary<P>, RotationWords, AndersenWords>(solvent, deck, std::move(solutes));
}

template <class P>
std::unique_ptr<Collisions> makeAngularCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                  std::unique_ptr<SolutesOf<P>> solutes) {
  constexpr bool wide = sizeof(typename P::Store) == 8;
  return angularCollisions<P, AngularWords<wide, true, 9>, AngularWords<wide, false, 3>>(solvent, deck,
                                                                                         std::move(solutes));
}

template <class P>
std::unique_ptr<Collisions> makeAngularMixtureCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                         std::unique_ptr<SolutesOf<P>> solutes) {
  return angularCollisions<P, AngularMixtureWords<9>, AngularMixtureWords<3>>(solvent, deck, std::move(solutes));
}

}  // namespace mesowarp::mpcd
