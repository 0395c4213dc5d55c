// Steps between walls. Included by walled_collisions_*.device.cpp. There is always a drive, be it none: half as many
// passes to compile.
#pragma once

#include "physics/mpcd/collisions_impl.hpp"

namespace mesowarp::mpcd {

template <class P>
std::unique_ptr<Collisions> makeWalledCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                 std::unique_ptr<SolutesOf<P>> solutes) {
  return collisionsDriven<P, true, SolidBoundary<P>>(solvent, deck, std::move(solutes));
}

}  // namespace mesowarp::mpcd
