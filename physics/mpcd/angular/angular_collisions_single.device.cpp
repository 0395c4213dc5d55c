#include "physics/mpcd/angular/angular_collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeAngularCollisions(SolventOf<SinglePrecision>&, const input::Deck&,
                                                           std::unique_ptr<SolutesOf<SinglePrecision>>);

}  // namespace mesowarp::mpcd
