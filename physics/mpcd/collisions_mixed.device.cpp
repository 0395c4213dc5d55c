#include "physics/mpcd/collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeCollisions(SolventOf<MixedPrecision>&, const input::Deck&,
                                                    std::unique_ptr<SolutesOf<MixedPrecision>>);

}  // namespace mesowarp::mpcd
