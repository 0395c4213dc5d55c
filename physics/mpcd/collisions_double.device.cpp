#include "physics/mpcd/collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeCollisions(SolventOf<DoublePrecision>&, const input::Deck&,
                                                    std::unique_ptr<SolutesOf<DoublePrecision>>);

}  // namespace mesowarp::mpcd
