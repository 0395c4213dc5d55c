// Gravity from its settings.
#pragma once

#include "physics/nbody/body_force_impl.hpp"
#include "physics/nbody/gravity_half.hpp"

namespace mesowarp::nbody {

// -1/2 G sum_ij m_i m_j / sqrt(r_ij^2 + eps^2), i != j.
template <class M>
double gravityPotentialOf(const ForceSettings& settings, const PotentialQuestion& question) {
  using Law = GravityPotential<M>;
  Law law;
  law.softening2 = std::max(settings.softening * settings.softening, Law::leastSoftening2());
  return 0.5 * sumPotential<Law>([&](double) { return law; }, [&](double scale) { return settings.gravity * scale; },
                                 question, question.bodies.mass);
}
// Compiled once for gravity with and without jerk (physics/variants.cmake).
extern template double gravityPotentialOf<math::Portable>(const ForceSettings&, const PotentialQuestion&);
extern template double gravityPotentialOf<math::HardwareLanes>(const ForceSettings&, const PotentialQuestion&);

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
  double potential(const PotentialQuestion& question) const {
    return settings_.bitwise ? gravityPotentialOf<math::Portable>(settings_, question)
                             : gravityPotentialOf<math::HardwareLanes>(settings_, question);
  }

private:
  ForceSettings settings_;
};

}  // namespace mesowarp::nbody
