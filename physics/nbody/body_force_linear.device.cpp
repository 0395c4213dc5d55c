#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split, class M>
using LinearSource = LennardJonesCoulombSource<S, Split, Dielectric::linear, M>;

std::unique_ptr<BodyForce> makeLinearDielectric(const ForceSettings& settings) {
  return makeForceOf<LinearSource>(settings);
}

}  // namespace mesowarp::nbody
