// Langevin dynamics of a population in a box: between the closing and the opening of every so-manieth step the
// velocities of the full step get friction and noise, as the exact solution of dv = -gamma v dt + sqrt(2 gamma k_BT /
// m) dW over the time t between two of them,
//
//   v <- c v + sqrt((1 - c^2) k_BT / m) xi,  c = exp(-gamma t).
//
// With velocity Verlet that is the splitting O B A B (Leimkuhler & Matthews, Molecular Dynamics (2015), section 7.3.1);
// of the places' distribution the error is of second order in the time step, velocities behind O are canonical. If
// gamma t is small, several steps may pass between two of them, each of which stays one kernel.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "device/host_copy.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "kernels/with_normals.hpp"
#include "physics/integrate/bath_members.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// Of a species.
template <class Real>
struct Bath {
  Real keeps = 1, kick = 0;  // c, sqrt((1 - c^2) k_BT / m)
};

template <class P>
struct LangevinKick {
  using Real = typename P::Real;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<Real>> velocity;
  DeviceArray<u32> tag;
  DeviceArray<Bath<Real>> bath;
  BathMembers members;
  StepKey key;
  StepGuard guard;

  KOKKOS_INLINE_FUNCTION u32 tagOf(int i) const { return tag(i); }
  KOKKOS_INLINE_FUNCTION bool wants(int i) const {
    return !(backend::onGpu && guard.stops()) && members.has(i, pairVelocity(i).species);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, const Vec3<Real>& normal) const {
    const Bath<Real> own = bath(pairVelocity(i).species);
    Vec3<Real> v = velocity(i);
    for (int axis = 0; axis < 3; ++axis) v[axis] = math::fusedMultiplyAdd(own.keeps, v[axis], own.kick * normal[axis]);
    velocity(i) = v;
  }
};

template <class P>
class LangevinPhase final : public Phase {
public:
  using Real = typename P::Real;
  // number: among the deck's thermostats; schedule: null: nothing changes with the step.
  LangevinPhase(BoxPopulation<P>& population, const input::Deck& deck, std::size_t number,
                std::shared_ptr<Schedule> schedule = nullptr)
      : Phase(nameOf(thermostatsOf(deck).at(number)), population), population_(population), number_(number),
        every_(thermostatsOf(deck).at(number).every), seed_(deck.run.seed), schedule_(std::move(schedule)) {
    if (schedule_ && !schedule_->changes(Scheduled::thermostat) && !schedule_->changes(Scheduled::temperature))
      schedule_ = nullptr;
    bath_ = toDevice<Bath<Real>>("Langevin bath", bathsOf(deck));
    members_ = membersOf<P>(deck, thermostatsOf(deck).at(number));
  }
  std::vector<FieldUse> uses() const override { return {{"tag", FieldUse::reads}, {"velocity", FieldUse::writes}}; }
  bool due(i64 step) const override { return step > 0 && step % every_ == 0; }
  bool repeatable() const override { return true; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override {
    const auto& arrays = population_.arrays();
    if (schedule_) {
      refill(bath_, bathsOf(schedule_->at(step.step)));
    }
    findGroups(population_, members_);
    backend::runWithNormals("Langevin kick",
                            LangevinKick<P>{arrays.velocity->current, population_.observedVelocity(),
                                            arrays.tag->current, bath_, members_,
                                            stepKey(seed_, Stream::langevin, step.step), step.guard},
                            arrays.count);
  }

private:
  std::vector<Bath<Real>> bathsOf(const input::Deck& deck) const {
    const ThermostatKeys keys = thermostatsOf(deck).at(number_);
    std::vector<Bath<Real>> baths(deck.species.size());
    const double keeps = std::exp(-keys.friction * deck.run.timestep * static_cast<double>(keys.every));
    for (const std::string& species : heldBy(keys, deck))
      for (std::size_t s = 0; s < baths.size(); ++s)
        if (deck.species[s] == species && !input::isFrozen(deck, species))
          baths[s] = {Real(keeps),
                      Real(std::sqrt((1.0 - keeps * keeps) * keys.temperature / population_.settings().masses[s]))};
    return baths;
  }

  BoxPopulation<P>& population_;
  std::size_t number_;
  i64 every_;
  u64 seed_;
  std::shared_ptr<Schedule> schedule_;
  DeviceArray<Bath<Real>> bath_;
  BathMembers members_;
};

}  // namespace mesowarp
