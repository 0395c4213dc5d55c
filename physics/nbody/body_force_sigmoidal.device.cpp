#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split>
using SigmoidalSource = LennardJonesCoulombSource<S, Split, Dielectric::sigmoidal>;

std::unique_ptr<BodyForce> makeSigmoidalDielectric(const ForceSettings& settings) { return makeForceOf<SigmoidalSource>(settings); }

}  // namespace mesowarp::nbody
