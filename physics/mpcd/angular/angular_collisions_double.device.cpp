#include "physics/mpcd/angular/angular_collisions_impl.hpp"

namespace mesowarp::mpcd {

template std::unique_ptr<Collisions> makeAngularCollisions(SolventOf<DoublePrecision>&, const input::Deck&,
                                                           std::unique_ptr<SolutesOf<DoublePrecision>>);

}  // namespace mesowarp::mpcd
