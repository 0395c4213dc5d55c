#include "physics/mpcd/mixture/mixture_collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeMixtureCollisions(SolventOf<MixedPrecision>&, const input::Deck&,
                                                           std::unique_ptr<SolutesOf<MixedPrecision>>);

}  // namespace mesowarp::mpcd
