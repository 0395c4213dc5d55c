// Gravity from its settings.
#pragma once

#include "physics/nbody/body_force_impl.hpp"
#include "physics/nbody/gravity_half.hpp"

namespace mesowarp::nbody {

// -1/2 G sum_ij m_i m_j / sqrt(r_ij^2 + eps^2), i != j. In body_force_gravity.device.cpp.
double gravityPotential(const ForceSettings& settings, const PotentialQuestion& question);

template <class S, bool Split, bool Jerk, class M>
class GravitySource {
public:
  using Law = Gravity<S, Split, Jerk, M>;
  explicit GravitySource(const ForceSettings& settings) : settings_(settings) {}
  Law law(double) const {
    const double softening2 = settings_.softening * settings_.softening;
    return {static_cast<S>(std::max(softening2, Law::leastSoftening2()))};
  }
  double weight(double scale) const { return settings_.gravity * scale; }
  double potential(const PotentialQuestion& question) const { return gravityPotential(settings_, question); }

private:
  ForceSettings settings_;
};

}  // namespace mesowarp::nbody
