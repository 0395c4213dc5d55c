#include "physics/membrane/model/membrane_forces_impl.hpp"

namespace mesowarp::membrane {

template std::unique_ptr<MembraneForces<MixedPrecision>>
makeMembraneForces<MixedPrecision>(const input::Deck&, const input::Population&, u32, i64);

}  // namespace mesowarp::membrane
