#include "physics/nbody/gravity_source.hpp"

namespace mesowarp::nbody {

template <class S, bool Split, class M>
using AccelerationSource = GravitySource<S, Split, false, M>;

std::unique_ptr<BodyForce> makeGravity(const ForceSettings& settings) {
  return makeForceOf<AccelerationSource>(settings);
}

namespace {

template <class M>
double potentialWith(const ForceSettings& settings, const PotentialQuestion& question) {
  using Law = GravityPotential<M>;
  Law law;
  law.softening2 = std::max(settings.softening * settings.softening, Law::leastSoftening2());
  return 0.5 * sumPotential<Law>([&](double) { return law; }, [&](double scale) { return settings.gravity * scale; },
                                 question, question.bodies.mass);
}

}  // namespace

double gravityPotential(const ForceSettings& settings, const PotentialQuestion& question) {
  return settings.bitwise ? potentialWith<math::Portable>(settings, question)
                          : potentialWith<math::HardwareLanes>(settings, question);
}

}  // namespace mesowarp::nbody
