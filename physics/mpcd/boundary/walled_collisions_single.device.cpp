#include "physics/mpcd/boundary/walled_collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeWalledCollisions(SolventOf<SinglePrecision>&, const input::Deck&,
                                                          std::unique_ptr<SolutesOf<SinglePrecision>>);

}  // namespace mesowarp::mpcd
