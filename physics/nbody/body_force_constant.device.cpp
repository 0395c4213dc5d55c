#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split, class M>
using ConstantSource = LennardJonesCoulombSource<S, Split, Dielectric::constant, M>;

std::unique_ptr<BodyForce> makeConstantDielectric(const ForceSettings& settings) {
  return makeForceOf<ConstantSource>(settings);
}

}  // namespace mesowarp::nbody
