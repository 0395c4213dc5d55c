#include "physics/mpcd/angular/angular_collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeAngularMixtureCollisions(SolventOf<MixedPrecision>&, const input::Deck&,
                                                                  std::unique_ptr<SolutesOf<MixedPrecision>>);

}  // namespace mesowarp::mpcd
