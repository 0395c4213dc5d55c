#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split>
using LennardJonesSource = LennardJonesCoulombSource<S, Split, Dielectric::none>;

std::unique_ptr<BodyForce> makeLennardJones(const ForceSettings& settings) { return makeForceOf<LennardJonesSource>(settings); }

}  // namespace mesowarp::nbody
