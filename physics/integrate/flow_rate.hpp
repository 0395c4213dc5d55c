// A body force along one axis that keeps the mean velocity of all particles that move at a value: a channel driven at a
// given flow rate. A controller with a proportional and an integral part,
//
//   g = start + K_p e + K_i (sum of e dt),  e = target - <v>,  <v> = sum m v / sum m,
//
// looks every so many steps. With a fluid that loses velocity at the rate 1/tau to its walls, <v>' = g - <v> / tau, it
// swings unless (K_p + 1/tau)^2 >= 4 K_i. The sum of m v is one of integers, so g has the same bits on any number of
// ranks and threads if velocities have.
#pragma once

#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "device/launch/sum_over.hpp"
#include "input/deck.hpp"
#include "physics/group/held_particles.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// What the controller knows; the integrator reads the acceleration of each step from it.
struct FlowRate {
  FlowRateKeys keys;
  double accumulated = 0.0;   // sum of e dt
  double mean = 0.0;          // velocity at the last look
  double acceleration = 0.0;  // from the next step on

  // Null: the deck has none.
  static std::shared_ptr<FlowRate> of(const input::Deck& deck) {
    const FlowRateKeys keys = deck.own.get<FlowRateKeys>();
    return keys.on ? std::make_shared<FlowRate>(FlowRate{keys, 0.0, 0.0, keys.start}) : nullptr;
  }
  void look(double velocity, double time) {
    mean = velocity;
    const double lacks = keys.velocity - mean;
    accumulated += lacks * time;
    acceleration = keys.start + keys.proportional * lacks + keys.integral * accumulated;
  }
};

// Sums of m v along an axis, and of m, of particles that move and are not held, in units of 2^-28.
template <class P>
struct SumMomentum {
  static constexpr double unit = 268435456.0;
  struct Sums {
    i64 momentum = 0, mass = 0;
    KOKKOS_INLINE_FUNCTION Sums& operator+=(const Sums& other) {
      momentum += other.momentum, mass += other.mass;
      return *this;
    }
  };
  DeviceArray<PairVelocity<typename P::Store>> velocity;
  DeviceArray<typename P::Real> mass, inverseMass;
  int axis;
  group::HeldParticles held;
  KOKKOS_INLINE_FUNCTION void operator()(int i, Sums& sums) const {
    const auto v = velocity(i);
    if (!(inverseMass(v.species) > 0) || held.has(i)) return;
    const double m = static_cast<double>(mass(v.species)), along = static_cast<double>(axis == 0   ? v.x
                                                                                       : axis == 1 ? v.y
                                                                                                   : v.z);
    sums.momentum += ::llrint(m * along * unit), sums.mass += ::llrint(m * unit);
  }
};

// Behind the closing of a step.
template <class P>
class FlowRatePhase final : public Phase {
public:
  // schedule: null: nothing changes with the step; held: bits of groups that have no part in the flow.
  FlowRatePhase(BoxPopulation<P>& population, std::shared_ptr<FlowRate> rate, std::shared_ptr<Schedule> schedule,
                u32 held)
      : Phase("flow rate", population), population_(population), rate_(std::move(rate)), schedule_(std::move(schedule)),
        held_(held) {}
  std::vector<FieldUse> uses() const override { return {{"velocity", FieldUse::reads}}; }
  bool due(i64 step) const override { return step > 0 && step % rate_->keys.every == 0; }
  void run(const PhaseStep& step) override {
    if (schedule_) rate_->keys.velocity = schedule_->at(step.step).own.get<FlowRateKeys>().velocity;
    auto sums = backend::sumOver<typename SumMomentum<P>::Sums>(
        "sum momentum", population_.count(),
        SumMomentum<P>{population_.arrays().velocity->next, population_.mass(), population_.inverseMass(),
                       rate_->keys.along, group::HeldParticles::of(population_, held_)});
    if (const auto* ranks = population_.ranks())
      sums.momentum = ranks->sum(sums.momentum), sums.mass = ranks->sum(sums.mass);
    if (sums.mass > 0)
      rate_->look(static_cast<double>(sums.momentum) / static_cast<double>(sums.mass),
                  rate_->keys.every * population_.settings().timestep);
  }
  void addQuantities(std::map<std::string, double>& all) const override {
    all["flow_velocity"] = rate_->mean;
    all["drive_acceleration"] = rate_->acceleration;
  }
  std::vector<i64> state() const override {
    return {std::bit_cast<i64>(rate_->accumulated), std::bit_cast<i64>(rate_->mean),
            std::bit_cast<i64>(rate_->acceleration)};
  }
  void restore(const std::vector<i64>& state) override {
    if (state.size() != 3) throw InputError("the checkpoint's state of the flow rate is not one");
    rate_->accumulated = std::bit_cast<double>(state[0]), rate_->mean = std::bit_cast<double>(state[1]);
    rate_->acceleration = std::bit_cast<double>(state[2]);
  }

private:
  BoxPopulation<P>& population_;
  std::shared_ptr<FlowRate> rate_;
  std::shared_ptr<Schedule> schedule_;
  u32 held_;
};

}  // namespace mesowarp
