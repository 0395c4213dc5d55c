#include "physics/mpcd/boundary/walled_collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeWalledCollisions(SolventOf<DoublePrecision>&, const input::Deck&,
                                                          std::unique_ptr<SolutesOf<DoublePrecision>>);

}  // namespace mesowarp::mpcd
