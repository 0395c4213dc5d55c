#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split, class M>
using LennardJonesSource = LennardJonesCoulombSource<S, Split, Dielectric::none, M>;

std::unique_ptr<BodyForce> makeLennardJones(const ForceSettings& settings) {
  return makeForceOf<LennardJonesSource>(settings);
}

}  // namespace mesowarp::nbody
