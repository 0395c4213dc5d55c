#include "physics/nbody/body_force.hpp"

#include "core/error.hpp"

namespace mesowarp::nbody {

bool offered(input::Precision precision, input::Accumulator accumulator) {
  using input::Accumulator;
  switch (precision) {
    case input::Precision::single:
      return accumulator != Accumulator::double_;
    case input::Precision::mixed:
      return accumulator == Accumulator::double_sum || accumulator == Accumulator::takahashi_iitaka ||
             accumulator == Accumulator::narumi;
    case input::Precision::double_:
      return accumulator == Accumulator::double_;
  }
  return false;
}

void findRange(BodyForce& force, const BodyView& bodies, const backend::Exclusions& exclusions) {
  constexpr double margin = 4.0;
  const double largest = force.largestSum(bodies, exclusions);
  force.setRange(largest > 0.0 ? margin * largest : 1.0);
}

std::unique_ptr<BodyForce> makeBodyForce(const ForceSettings& settings) {
  if (!offered(settings.precision, settings.accumulator))
    throw InputError("this accumulator is not offered in this precision");
  if (settings.style == input::InteractionStyle::gravity)
    return settings.jerk ? makeGravityWithJerk(settings) : makeGravity(settings);
  switch (settings.dielectric) {
    case input::Dielectric::none:
      return makeLennardJones(settings);
    case input::Dielectric::constant:
      return makeConstantDielectric(settings);
    case input::Dielectric::linear:
      return makeLinearDielectric(settings);
    case input::Dielectric::sigmoidal:
      return makeSigmoidalDielectric(settings);
  }
  throw InputError("unknown dielectric");
}

}  // namespace mesowarp::nbody
