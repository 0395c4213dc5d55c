// Inflow and outflow of a box that is periodic along the flow: in a region across it particles get the velocities of a
// flow that comes from outside, whatever they had before. So what enters the region has flowed out, and what leaves it
// flows in; their number stays the same. (A fringe or buffer region: Nordstroem, Nordin & Henningson, SIAM J. Sci.
// Comput. 20 (1999) 1365, for flows; its kicks here are those of a Langevin thermostat that moves with the flow.)
//
// Between the closing and the opening of every so-manieth step, t between two of them,
//
//   v <- u(x) + c (v - u(x)) + sqrt((1 - c^2) k_BT / m) xi,  c = exp(-rate t),
//
// u = U (plug); U 6 s (1 - s), s from 0 to 1 between the walls of a slit; U 2 (1 - r^2 / R^2) in a tube. U is what a
// controller says (inflow_control.hpp), so that the mean velocity of what passes is the deck's.
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "device/host_copy.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "kernels/with_normals.hpp"
#include "physics/integrate/inflow_control.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

template <class P>
struct InflowKick {
  using Real = typename P::Real;
  using Coord = typename P::Coord;
  InflowRegion<Coord, Real> region;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<Real>> velocity;
  DeviceArray<u32> tag;
  DeviceArray<Real> kick;  // of a species: sqrt((1 - c^2) k_BT / m); negative: it is frozen
  Real keeps;              // c
  StepKey key;
  StepGuard guard;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (backend::onGpu && guard.stops()) return;
    const auto place = position(i);
    const Coord x[3] = {place.x, place.y, place.z};
    Real speed = 0;
    if (!region.flows(x, speed)) return;
    const Real width = kick(pairVelocity(i).species);
    if (width < Real(0)) return;
    Vec3<Real> v = velocity(i);
    v[region.along] -= speed;
    for (int axis = 0; axis < 3; ++axis)
      v[axis] = math::fusedMultiplyAdd(keeps, v[axis], width * backend::normalOf<Real>(tag(i), key, axis));
    v[region.along] += speed;
    velocity(i) = v;
  }
};

template <class P>
class InflowPhase final : public Phase {
public:
  using Real = typename P::Real;
  // schedule: null: the temperature of what flows in stays.
  InflowPhase(BoxPopulation<P>& population, const input::Deck& deck, std::shared_ptr<InflowControl> control,
              std::size_t k, std::shared_ptr<Schedule> schedule = nullptr)
      : Phase(inflowPhase(k), population), population_(population), control_(std::move(control)), number_(k),
        seed_(deck.run.seed),
        region_(InflowRegion<typename P::Coord, Real>::of(control_->keys, population.settings().box)),
        keeps_(Real(keepsOf(deck))), temperature_(temperatureOf(deck)),
        kick_(toDevice<Real>("kicks of an inflow", kicksOf(deck))) {
    if (schedule && (schedule->changes(Scheduled::temperature) || schedule->changes(Scheduled::thermostat)))
      schedule_ = std::move(schedule);
  }
  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::reads}, {"tag", FieldUse::reads}, {"velocity", FieldUse::writes}};
  }
  bool due(i64 step) const override { return step > 0 && step % control_->keys.every == 0; }
  bool repeatable() const override { return true; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override {
    const auto& arrays = population_.arrays();
    control_->follow(step.step);
    region_.velocity = Real(control_->velocity);
    if (schedule_) follow(schedule_->at(step.step));
    // Several regions have keys of their own.
    const StepKey key = stepKey(seed_ + 0x9E3779B97F4A7C15u * number_, Stream::inflow, step.step);
    Kokkos::parallel_for("inflow", Range(0, arrays.count),
                         InflowKick<P>{region_, arrays.position->current, arrays.velocity->current,
                                       population_.observedVelocity(), arrays.tag->current, kick_, keeps_, key,
                                       step.guard});
  }

private:
  void follow(const input::Deck& now) {
    if (const double temperature = temperatureOf(now); temperature != temperature_)
      temperature_ = temperature, refill(kick_, kicksOf(now));
  }
  double temperatureOf(const input::Deck& deck) const { return inflowsOf(deck).at(number_).temperature; }
  double keepsOf(const input::Deck& deck) const {
    return std::exp(-control_->keys.rate * deck.run.timestep * static_cast<double>(control_->keys.every));
  }
  // Of each species; below 0: it is frozen.
  std::vector<Real> kicksOf(const input::Deck& deck) const {
    const double keeps = keepsOf(deck);
    const BoxSettings& settings = population_.settings();
    std::vector<Real> kick;
    for (std::size_t s = 0; s < deck.species.size(); ++s)
      kick.push_back(!settings.frozen.empty() && settings.frozen[s]
                         ? Real(-1)
                         : Real(std::sqrt((1.0 - keeps * keeps) * temperature_ / settings.masses[s])));
    return kick;
  }

  BoxPopulation<P>& population_;
  std::shared_ptr<InflowControl> control_;
  std::size_t number_;
  u64 seed_;
  std::shared_ptr<Schedule> schedule_;
  InflowRegion<typename P::Coord, Real> region_;
  Real keeps_;
  double temperature_;  // that the kicks are for
  DeviceArray<Real> kick_;
};

}  // namespace mesowarp
