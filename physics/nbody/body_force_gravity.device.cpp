#include "physics/nbody/gravity_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split>
using AccelerationSource = GravitySource<S, Split, false>;

std::unique_ptr<BodyForce> makeGravity(const ForceSettings& settings) { return makeForceOf<AccelerationSource>(settings); }

double gravityPotential(const ForceSettings& settings, const BodyView& bodies, const backend::Exclusions& exclusions,
                        backend::PairsWorkspace& workspace) {
  GravityPotential law;
  law.softening2 = std::max(settings.softening * settings.softening, GravityPotential::leastSoftening2());
  const auto sums = potentialSums(law, bodies, settings.gravity, exclusions, workspace);
  double twice = 0.0;
  Kokkos::parallel_reduce("potential energy", Range(0, bodies.count()), SumFirst{sums, bodies.mass}, twice);
  return 0.5 * twice;
}

}  // namespace mesowarp::nbody
