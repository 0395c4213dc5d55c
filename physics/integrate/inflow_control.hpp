// The controller of an [[inflow]]. The region is a pump that gives way: where a channel needs a force to flow, the
// fluid passes more slowly than the region's velocity U says. What passes is the same through each section, so the mean
// velocity <v> = sum m v / sum m of the region's own particles is held against what the deck asks for,
//
//   U = velocity + K_i (sum of e dt),  e = velocity - <v>,
//
// by a look every so many steps. The region of length l in a box of length L pulls all of the fluid at the rate
// r = rate l / L, <v>' = r (U - <v>) - k <v>, which does not swing if (r + k)^2 >= 4 r K_i. Sums are of integers, so U
// has the same bits on any number of ranks and threads if velocities have.
#pragma once

#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "device/launch/sum_over.hpp"
#include "physics/group/held_particles.hpp"
#include "physics/integrate/inflow_region.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"
#include "step/windows.hpp"

namespace mesowarp {

struct InflowControl {
  InflowKeys keys;
  double accumulated = 0.0;  // sum of e dt
  double velocity;           // U

  // schedule: null: what the deck asks for stays.
  InflowControl(const InflowKeys& of, std::size_t k, const std::shared_ptr<Schedule>& schedule)
      : keys(of), velocity(of.velocity) {
    const ScheduleKeys* changes = schedule ? schedule->of("inflow." + std::to_string(k) + ".velocity") : nullptr;
    if (changes) asked_ = *changes;
  }
  void follow(i64 step) {
    if (!asked_) return;
    keys.velocity = asked_->at(step);
    setVelocity();
  }
  void look(double mean, double time) {
    accumulated += (keys.velocity - mean) * time;
    setVelocity();
  }

private:
  void setVelocity() { velocity = keys.velocity + keys.integral * accumulated; }
  std::optional<ScheduleKeys> asked_;
};

// Of particles in the region that move and are not held: sums of m v along the flow, of m u and of m, in units of
// 2^-28.
template <class P>
struct SumInflow {
  static constexpr double unit = 268435456.0;
  struct Sums {
    i64 momentum = 0, wanted = 0, mass = 0;
    KOKKOS_INLINE_FUNCTION Sums& operator+=(const Sums& other) {
      momentum += other.momentum, wanted += other.wanted, mass += other.mass;
      return *this;
    }
  };
  InflowRegion<typename P::Coord, typename P::Real> region;
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<typename P::Real>> velocity;
  DeviceArray<typename P::Real> mass, inverseMass;
  group::HeldParticles held;

  KOKKOS_INLINE_FUNCTION void operator()(int i, Sums& sums) const {
    const auto place = position(i);
    const typename P::Coord x[3] = {place.x, place.y, place.z};
    typename P::Real speed = 0;
    const u32 species = pairVelocity(i).species;
    if (!region.flows(x, speed) || !(inverseMass(species) > 0) || held.has(i)) return;
    const double m = static_cast<double>(mass(species)) * unit;
    sums.momentum += ::llrint(m * static_cast<double>(velocity(i)[region.along]));
    sums.wanted += ::llrint(m * static_cast<double>(speed));
    sums.mass += ::llrint(m);
  }
};

// Between the closing and the opening of a step, before the kicks. Its columns are means over the looks of a window:
// the velocity, and the force with which the region drives the fluid, rate (sum m u - sum m v).
template <class P>
class InflowControlPhase final : public Phase, public SumsOverSteps {
public:
  // held: bits of groups that have no part in the flow.
  InflowControlPhase(BoxPopulation<P>& population, std::shared_ptr<InflowControl> control, std::size_t k, u32 held)
      : Phase(inflowControlPhase(k), population), population_(population), control_(std::move(control)), number_(k),
        held_(held),
        region_(InflowRegion<typename P::Coord, typename P::Real>::of(control_->keys, population.settings().box)) {
    begin_.of.assign(words, 0), sums_.assign(words, 0);
  }
  std::vector<FieldUse> uses() const override { return {{"position", FieldUse::reads}, {"velocity", FieldUse::reads}}; }
  bool due(i64 step) const override { return step > 0 && step % inflowLooksEvery(control_->keys) == 0; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override {
    const auto& arrays = population_.arrays();
    control_->follow(step.step);
    region_.velocity = static_cast<typename P::Real>(control_->velocity);
    auto sums = backend::sumOver<typename SumInflow<P>::Sums>(
        "sum inflow", population_.count(),
        SumInflow<P>{region_, arrays.position->current, arrays.velocity->current, population_.observedVelocity(),
                     population_.mass(), population_.inverseMass(), group::HeldParticles::of(population_, held_)});
    if (const auto* ranks = population_.ranks())
      sums.momentum = ranks->sum(sums.momentum), sums.wanted = ranks->sum(sums.wanted),
      sums.mass = ranks->sum(sums.mass);
    if (!began_) begin_.step = step.step - 1, began_ = true;
    if (sums.mass > 0) count(sums);
    last_ = step.step;
  }

  void finishSums(ThermoSums&) const override { look_ = {last_, sums_}; }
  const SumsUpTo& atBegin() const override { return begin_; }
  const SumsUpTo& atLook() const override { return look_; }
  void addMeans(const std::vector<i64>& summed, i64, std::map<std::string, double>& all) const override {
    const auto names = inflowColumnsOf(number_);
    const double looks = static_cast<double>(summed.size() == words && summed[2] > 0 ? summed[2] : 1);
    for (std::size_t k = 0; k < 2; ++k)
      all[names[k]] = summed.size() == words ? static_cast<double>(summed[k]) / (fine * looks) : 0.0;
  }
  std::vector<i64> state() const override {
    std::vector<i64> all = sums_;
    all.insert(all.end(), {std::bit_cast<i64>(control_->accumulated), std::bit_cast<i64>(control_->velocity), last_});
    return all;
  }
  void restore(const std::vector<i64>& state) override {
    // Earlier versions did not say when the last look was: the mean since then is told anew at the next one.
    if (state.size() != words + 2 && state.size() != words + 3)
      throw InputError("the checkpoint's state of an inflow is not one");
    last_ = state.size() == words + 3 ? state[words + 2] : -1;
    sums_.assign(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(words));
    control_->accumulated = std::bit_cast<double>(state[words]);
    control_->velocity = std::bit_cast<double>(state[words + 1]);
    began_ = false, begin_.of = sums_;
  }

private:
  static constexpr std::size_t words = 3;     // velocity and force of all looks, and how many there were
  static constexpr double fine = 16777216.0;  // of the first two

  void count(const typename SumInflow<P>::Sums& sums) {
    const InflowKeys& keys = control_->keys;
    const double time = static_cast<double>(keys.every) * population_.settings().timestep;
    const double mean = static_cast<double>(sums.momentum) / static_cast<double>(sums.mass);
    const double lacks = static_cast<double>(sums.wanted - sums.momentum) / SumInflow<P>::unit;
    sums_[0] += ::llrint(mean * fine), sums_[2] += 1;
    sums_[1] += ::llrint((1.0 - std::exp(-keys.rate * time)) / time * lacks * fine);
    control_->look(mean, static_cast<double>(inflowLooksEvery(keys)) * population_.settings().timestep);
  }

  BoxPopulation<P>& population_;
  std::shared_ptr<InflowControl> control_;
  std::size_t number_;
  u32 held_;
  InflowRegion<typename P::Coord, typename P::Real> region_;
  std::vector<i64> sums_;
  SumsUpTo begin_;
  mutable SumsUpTo look_;  // an observed step looks at it
  bool began_ = false;
  i64 last_ = -1;  // step
};

}  // namespace mesowarp
