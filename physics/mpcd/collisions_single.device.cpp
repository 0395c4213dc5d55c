#include "physics/mpcd/collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeCollisions(SolventOf<SinglePrecision>&, const input::Deck&,
                                                    std::unique_ptr<SolutesOf<SinglePrecision>>);

}  // namespace mesowarp::mpcd
