#include "physics/nbody/body_force.hpp"

#include "core/error.hpp"

namespace mesowarp::nbody {

void findRange(BodyForce& force, const BodyView& bodies, const backend::ExcludedPartners& exclusions) {
  constexpr double margin = 64.0;
  const double largest = force.largestSum(bodies, exclusions);
  force.setRange(largest > 0.0 ? margin * largest : 1.0);
}

std::unique_ptr<BodyForce> makeBodyForce(const ForceSettings& settings) {
  if (!accumulatorFits(settings.precision, settings.accumulator))
    throw InputError("this accumulator is not offered in this precision");
  if (settings.style == LawStyle::gravity) return settings.jerk ? makeGravityWithJerk(settings) : makeGravity(settings);
  switch (settings.dielectric) {
  case Dielectric::none:
    return makeLennardJones(settings);
  case Dielectric::constant:
    return makeConstantDielectric(settings);
  case Dielectric::linear:
    return makeLinearDielectric(settings);
  case Dielectric::sigmoidal:
    return makeSigmoidalDielectric(settings);
  }
  throw InputError("unknown dielectric");
}

}  // namespace mesowarp::nbody
