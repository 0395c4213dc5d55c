#include "physics/mpcd/mixture/mixture_collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeMixtureCollisions(SolventOf<SinglePrecision>&, const input::Deck&,
                                                           std::unique_ptr<SolutesOf<SinglePrecision>>);

}  // namespace mesowarp::mpcd
