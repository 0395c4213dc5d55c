#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split, class M>
using SigmoidalSource = LennardJonesCoulombSource<S, Split, Dielectric::sigmoidal, M>;

std::unique_ptr<BodyForce> makeSigmoidalDielectric(const ForceSettings& settings) {
  return makeForceOf<SigmoidalSource>(settings);
}

}  // namespace mesowarp::nbody
