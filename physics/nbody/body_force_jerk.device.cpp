#include "physics/nbody/gravity_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split, class M>
using JerkSource = GravitySource<S, Split, true, M>;

std::unique_ptr<BodyForce> makeGravityWithJerk(const ForceSettings& settings) {
  return makeForceOf<JerkSource>(settings);
}

}  // namespace mesowarp::nbody
