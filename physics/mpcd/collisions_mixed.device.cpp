#include "physics/mpcd/collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeCollisions(SolventOf<MixedPrecision>&, const input::Deck&);

}  // namespace mesowarp::mpcd
