// [[hold]]: particles of a group keep one velocity u: between the closing and the opening of a step v = u and f = 0,
// behind all that changes velocities; u is the step's. The force that holds them is minus the sum of those that act on
// them.
#pragma once

#include "kernels/pairs/pair_traversal.hpp"
#include "physics/group/members.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/exact_sums.hpp"
#include "step/phase.hpp"

namespace mesowarp::group {

template <class P>
struct HoldStill {
  using Real = typename P::Real;
  DeviceArray<u32> groups;
  u32 bit;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Real> inverseMass;
  DeviceArray<Vec3<Real>> velocity, force;
  Vec3<Real> held;
  StepGuard guard;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (backend::onGpu && guard.stops()) return;
    if ((groups(i) & bit) == 0 || !(inverseMass(pairVelocity(i).species) > Real(0))) return;
    velocity(i) = held, force(i) = {};
  }
};

struct SummedForce {
  double of[3];
};
template <class P>
struct ForceOnMember {
  using Real = typename P::Real;
  DeviceArray<u32> groups;
  u32 bit;
  DeviceArray<Vec3<Real>> force;
  KOKKOS_INLINE_FUNCTION SummedForce operator()(int i) const {
    SummedForce sum{};
    if ((groups(i) & bit) == 0) return sum;
    for (int c = 0; c < 3; ++c) sum.of[c] = static_cast<double>(force(i)[c]);
    return sum;
  }
};

template <class P>
class HoldPhase final : public Phase {
public:
  using Real = typename P::Real;
  // number: among the deck's [[hold]] blocks; schedule: null: nothing changes with the step.
  HoldPhase(std::shared_ptr<const Members<P>> members, const input::Deck& deck, std::size_t number,
            std::shared_ptr<Schedule> schedule)
      : Phase(phaseOf(allOf<HoldKeys>(deck).at(number)), members->population()), members_(std::move(members)),
        keys_(allOf<HoldKeys>(deck).at(number)), number_(number), bit_(bitOf(deck, keys_.group)) {
    if (schedule && schedule->changes(Scheduled::pull)) schedule_ = std::move(schedule);
  }
  std::vector<FieldUse> uses() const override {
    return {{groupField, FieldUse::reads}, {"velocity", FieldUse::writes}};
  }
  bool repeatable() const override { return true; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override {
    if (schedule_) keys_ = allOf<HoldKeys>(schedule_->at(step.step)).at(number_);
    auto& population = members_->population();
    const int n = population.count();
    if (step.sums)
      sum_ = exactSums<SummedForce>("force on what is held", n,
                                    ForceOnMember<P>{members_->groups(), bit_, population.observedForce()},
                                    population.ranks());
    Kokkos::parallel_for(
        "hold", Range(0, n),
        HoldStill<P>{members_->groups(), bit_, population.arrays().velocity->current, population.inverseMass(),
                     population.observedVelocity(), population.observedForce(),
                     Vec3<Real>{Real(keys_.velocity[0]), Real(keys_.velocity[1]), Real(keys_.velocity[2])},
                     step.guard});
  }
  void addQuantities(std::map<std::string, double>& all) const override {
    for (std::size_t a = 0; a < 3; ++a) all[columnOf(keys_, std::string("force_") + "xyz"[a])] = -sum_.of[a];
  }
  // What is held has no part in the temperature, nor in the momentum.
  i64 held() const override { return whole().count; }
  void finishSums(ThermoSums& sums) const override {
    const auto& u = keys_.velocity;
    const double m = whole().mass;
    const double product[6] = {u[0] * u[0], u[1] * u[1], u[2] * u[2], u[0] * u[1], u[0] * u[2], u[1] * u[2]};
    for (int c = 0; c < 6; ++c) sums.kinetic[c] -= m * product[c];
    for (int c = 0; c < 3; ++c) sums.momentum[c] -= m * u[static_cast<std::size_t>(c)];
  }

private:
  const Whole& whole() const {
    if (whole_.count == 0) whole_ = members_->whole(bit_, true);
    return whole_;
  }
  std::shared_ptr<const Members<P>> members_;
  HoldKeys keys_;
  std::size_t number_;
  u32 bit_;
  std::shared_ptr<Schedule> schedule_;
  SummedForce sum_{};
  mutable Whole whole_;  // but for its place; counted at the first call
};

}  // namespace mesowarp::group
