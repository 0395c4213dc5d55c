// Between walls there is always a drive, be it none: half as many passes to compile.
#include "physics/mpcd/collisions_impl.hpp"

namespace mesowarp::mpcd {

template <class P>
std::unique_ptr<Collisions> makeWalledCollisions(SolventOf<P>& solvent, const input::Deck& deck) {
  return collisionsDriven<P, true, SolidBoundary<P>>(solvent, deck);
}
template std::unique_ptr<Collisions> makeWalledCollisions(SolventOf<DoublePrecision>&, const input::Deck&);

}  // namespace mesowarp::mpcd
