// Steps of a solvent whose species differ in mass, with walls or without. Included by mixture_collisions_*.device.cpp.
// There is always a drive, be it none: half as many passes to compile.
#pragma once

#include "physics/mpcd/collisions_impl.hpp"
#include "physics/mpcd/mixture/mixture_sums.hpp"

namespace mesowarp::mpcd {

template <class P>
std::unique_ptr<Collisions> makeMixtureCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                  std::unique_ptr<SolutesOf<P>> solutes) {
  if (deck.walls.empty()) return collisionsDriven<P, true, NoWalls, MixtureWords>(solvent, deck, std::move(solutes));
  return collisionsDriven<P, true, SolidBoundary<P>, MixtureWords>(solvent, deck, std::move(solutes));
}

}  // namespace mesowarp::mpcd
