// What tables show of groups: temperature, centre of mass, its velocity, force; of those that are not frozen. The
// temperature is that of the n of them that are not held, either, relative to their mean velocity,
// (sum m v^2 - P^2 / M) / (3 (n - 1)); of a single particle sum m v^2 / 3.
#pragma once

#include "physics/group/members.hpp"
#include "state/exact_sums.hpp"
#include "step/phase.hpp"

namespace mesowarp::group {

struct MotionSums {
  double momentum[3], force[3];     // sum of m v, f
  double kinetic, freeMomentum[3];  // of those that are not held: sum of m v^2, m v
};
template <class P>
struct MotionOfMember {
  using Real = typename P::Real;
  DeviceArray<u32> groups;
  u32 bit, held;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Real> mass, inverseMass;
  DeviceArray<Vec3<Real>> velocity, force;
  KOKKOS_INLINE_FUNCTION MotionSums operator()(int i) const {
    MotionSums sums{};
    const u32 species = pairVelocity(i).species;
    if ((groups(i) & bit) == 0 || !(inverseMass(species) > Real(0))) return sums;
    const double m = static_cast<double>(mass(species));
    const bool isFree = (groups(i) & held) == 0;
    for (int c = 0; c < 3; ++c) {
      const double v = static_cast<double>(velocity(i)[c]);
      sums.momentum[c] = m * v;
      if (isFree) sums.freeMomentum[c] = m * v, sums.kinetic = math::fusedMultiplyAdd(m * v, v, sums.kinetic);
      sums.force[c] = static_cast<double>(force(i)[c]);
    }
    return sums;
  }
};

template <class P>
class GroupSums final : public Phase {
public:
  GroupSums(std::shared_ptr<const Members<P>> members, const input::Deck& deck)
      : Phase(sumsPhase, members->population()), members_(std::move(members)), groups_(allOf<GroupKeys>(deck)),
        held_(heldBits(deck)) {
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
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      const Whole whole = members_->whole(bits_[k], true);
      tell(groups_[k], whole, held_ ? members_->whole(bits_[k], true, held_) : whole,
           exactSums<MotionSums>("motion of a group", population.count(),
                                 MotionOfMember<P>{members_->groups(), bits_[k], held_,
                                                   population.arrays().velocity->current, population.mass(),
                                                   population.inverseMass(), population.observedVelocity(),
                                                   population.observedForce()},
                                 population.ranks()));
    }
  }
  void addQuantities(std::map<std::string, double>& all) const override {
    for (const auto& [name, value] : quantities_) all[name] = value;
  }

private:
  void tell(const GroupKeys& group, const Whole& whole, const Whole& free, const MotionSums& sums) {
    double drift = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string axis(1, "xyz"[a]);
      if (free.mass > 0.0) drift += sums.freeMomentum[a] * sums.freeMomentum[a] / free.mass;
      quantities_[columnOf(group, axis)] = whole.place[a];
      quantities_[columnOf(group, "velocity_" + axis)] = whole.mass > 0.0 ? sums.momentum[a] / whole.mass : 0.0;
      quantities_[columnOf(group, "force_" + axis)] = sums.force[a];
    }
    const bool several = free.count > 1;
    const double freedom = 3.0 * static_cast<double>(several ? free.count - 1 : 1);
    quantities_[columnOf(group, "temperature")] = (sums.kinetic - (several ? drift : 0.0)) / freedom;
  }

  std::shared_ptr<const Members<P>> members_;
  std::vector<GroupKeys> groups_;
  u32 held_;  // groups of [[hold]] blocks
  std::vector<u32> bits_;
  std::map<std::string, double> quantities_;
};

}  // namespace mesowarp::group
