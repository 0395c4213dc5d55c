#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split>
using ConstantSource = LennardJonesCoulombSource<S, Split, Dielectric::constant>;

std::unique_ptr<BodyForce> makeConstantDielectric(const ForceSettings& settings) { return makeForceOf<ConstantSource>(settings); }

}  // namespace mesowarp::nbody
