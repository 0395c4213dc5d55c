#include "physics/nbody/body_force_base.hpp"

#include <cmath>

#include "core/error.hpp"

namespace mesowarp::nbody {

BodyForceBase::BodyForceBase(const ForceSettings& settings)
    : afterwards_(settings.excludeAfterwards), ranks_(settings.ranks), allBodies_(settings.allBodies),
      overflow_("overflow") {
  overflow_() = 0;
}
BodyForceBase::~BodyForceBase() = default;

void BodyForceBase::setScale(double range) {
  if (!(range > 0.0) || !std::isfinite(range))
    throw RunError("the range of fixed-point sums must be a positive number");
  range_ = range;
  scale_ = std::ldexp(1.0, -exponentAbove(range));
}

}  // namespace mesowarp::nbody
