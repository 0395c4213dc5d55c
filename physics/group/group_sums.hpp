// What tables show of groups: temperature, centre of mass, its velocity, force. The temperature is that of the motion
// relative to the group's mean velocity, (sum m v^2 - P^2 / M) / (3 (n - 1)); of a single particle sum m v^2 / 3.
#pragma once

#include "physics/group/members.hpp"
#include "state/exact_sums.hpp"
#include "step/phase.hpp"

namespace mesowarp::group {

struct MotionSums {
  double kinetic, momentum[3], force[3];  // sum of m v^2, m v, f
};
template <class P>
struct MotionOfMember {
  using Real = typename P::Real;
  DeviceArray<u32> groups;
  u32 bit;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Real> mass, inverseMass;
  DeviceArray<Vec3<Real>> velocity, force;
  KOKKOS_INLINE_FUNCTION MotionSums operator()(int i) const {
    MotionSums sums{};
    const u32 species = pairVelocity(i).species;
    if ((groups(i) & bit) == 0 || !(inverseMass(species) > Real(0))) return sums;
    const double m = static_cast<double>(mass(species));
    for (int c = 0; c < 3; ++c) {
      const double v = static_cast<double>(velocity(i)[c]);
      sums.momentum[c] = m * v;
      sums.kinetic = math::fusedMultiplyAdd(m * v, v, sums.kinetic);
      sums.force[c] = static_cast<double>(force(i)[c]);
    }
    return sums;
  }
};

template <class P>
class GroupSums final : public Phase {
public:
  GroupSums(std::shared_ptr<const Members<P>> members, const input::Deck& deck)
      : Phase(sumsPhase, members->population()), members_(std::move(members)), groups_(allOf<GroupKeys>(deck)) {
    for (const GroupKeys& group : groups_) bits_.push_back(bitOf(deck, group.name));
  }
  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::reads}, {"velocity", FieldUse::reads}, {groupField, FieldUse::reads}};
  }
  bool repeatable() const override { return true; }  // somebody looks, or nothing is done
  Wanted looksAt(const Wanted& wanted) const override { return {.velocities = wanted.thermo, .forces = wanted.thermo}; }
  void run(const PhaseStep& step) override {
    if (!step.wanted.thermo) return;
    auto& population = members_->population();
    quantities_.clear();
    for (std::size_t k = 0; k < groups_.size(); ++k)
      tell(groups_[k], members_->whole(bits_[k], true),
           exactSums<MotionSums>("motion of a group", population.count(),
                                 MotionOfMember<P>{members_->groups(), bits_[k], population.arrays().velocity->current,
                                                   population.mass(), population.inverseMass(),
                                                   population.observedVelocity(), population.observedForce()},
                                 population.ranks()));
  }
  void addQuantities(std::map<std::string, double>& all) const override {
    for (const auto& [name, value] : quantities_) all[name] = value;
  }

private:
  void tell(const GroupKeys& group, const Whole& whole, const MotionSums& sums) {
    double drift = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string axis(1, "xyz"[a]);
      if (whole.mass > 0.0) drift += sums.momentum[a] * sums.momentum[a] / whole.mass;
      quantities_[columnOf(group, axis)] = whole.place[a];
      quantities_[columnOf(group, "velocity_" + axis)] = whole.mass > 0.0 ? sums.momentum[a] / whole.mass : 0.0;
      quantities_[columnOf(group, "force_" + axis)] = sums.force[a];
    }
    const bool several = whole.count > 1;
    const double freedom = 3.0 * static_cast<double>(several ? whole.count - 1 : 1);
    quantities_[columnOf(group, "temperature")] = (sums.kinetic - (several ? drift : 0.0)) / freedom;
  }

  std::shared_ptr<const Members<P>> members_;
  std::vector<GroupKeys> groups_;
  std::vector<u32> bits_;
  std::map<std::string, double> quantities_;
};

}  // namespace mesowarp::group
