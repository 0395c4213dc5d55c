// [[pull]]: a force on a group, between the closing and the opening of a step: it joins the forces f_k of the step, and
// v_k gets the closing half-kick that it is part of, so the step is the velocity Verlet step of all forces together.
//
// A force F on the group as a whole, or that of a spring, is shared out by mass: F m_i / M. The spring's,
//
//   F = -k (R - r0) d / R,  d = X - A(t),  R = |d|,
//
// X the group's centre of mass, A the point, or the centre of mass of the other group, which gets -F (LAMMPS: fix
// spring tether, fix spring couple, fix smd cvel). Work is what the moving point does, the sum over steps of
// (F_k-1 + F_k) / 2 * velocity dt.
#pragma once

#include <bit>
#include <cmath>

#include "core/error.hpp"
#include "core/math.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "physics/group/members.hpp"
#include "physics/integrate/elapsed_time.hpp"
#include "physics/integrate/schedule.hpp"
#include "step/phase.hpp"

namespace mesowarp::group {

template <class P>
struct PullKick {
  using Real = typename P::Real;
  DeviceArray<u32> groups;
  u32 bit;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<Real>> velocity, force;
  DeviceArray<Real> mass, inverseMass;
  Vec3<Real> acceleration, each;  // of a particle: force over mass, and force
  Real closing;                   // dt / 2; 0 in step 0
  StepGuard guard;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    using math::fusedMultiplyAdd;
    if (backend::onGpu && guard.stops()) return;
    if ((groups(i) & bit) == 0) return;
    const u32 species = pairVelocity(i).species;
    const Real perMass = inverseMass(species), m = mass(species);
    if (!(perMass > Real(0))) return;  // frozen
    Vec3<Real> v = velocity(i), f = force(i);
    for (int c = 0; c < 3; ++c) {
      const Real own = fusedMultiplyAdd(m, acceleration[c], each[c]);
      v[c] = fusedMultiplyAdd(closing * perMass, own, v[c]);
      f[c] += own;
    }
    velocity(i) = v, force(i) = f;
  }
};

// What a pull knows from the steps before.
struct PullState {
  bool known = false;                                // where the point was in step 0, and the force of a step before
  std::array<double, 3> anchor{}, force{}, place{};  // point in step 0; of the last step: force, centre of mass
  std::array<double, 3> velocity{};  // of the point; in the first step of a resumed run what it was before
  double length = 0.0, energy = 0.0, work = 0.0;
};

template <class P>
class PullPhase final : public Phase {
public:
  using Real = typename P::Real;
  PullPhase(std::shared_ptr<const Members<P>> members, const input::Deck& deck, std::size_t number,
            std::shared_ptr<Schedule> schedule)
      : Phase(phaseOf(allOf<PullKeys>(deck).at(number)), members->population()), members_(std::move(members)),
        keys_(allOf<PullKeys>(deck).at(number)), number_(number), timestep_(deck.run.timestep), start_(timeOf(deck, 0)),
        bit_(bitOf(deck, keys_.group)), otherBit_(bitOf(deck, keys_.other)), schedule_(std::move(schedule)) {
    if (schedule_ && !schedule_->changes(Scheduled::pull)) schedule_ = nullptr;
    state_.anchor = keys_.at, state_.velocity = keys_.velocity;
  }
  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::reads}, {groupField, FieldUse::reads}, {"velocity", FieldUse::writes}};
  }
  bool repeatable() const override { return !keys_.isSpring(); }  // the host knows a spring's force
  bool between() const override { return true; }

  void run(const PhaseStep& step) override {
    if (schedule_) keys_ = allOf<PullKeys>(schedule_->at(step.step)).at(number_);
    if (keys_.isSpring()) return pullBySpring(step);
    if (whole_.count == 0 || step.sums) whole_ = members_->whole(bit_);
    const auto per = [&](double divisor, const std::array<double, 3>& x) { return scaled(1.0 / divisor, x); };
    const double n = static_cast<double>(whole_.count);
    if (keys_.style == PullStyle::each)
      kick(step, bit_, {}, vector(keys_.force)), state_.force = scaled(n, keys_.force);
    else if (keys_.style == PullStyle::force)
      kick(step, bit_, vector(per(whole_.mass, keys_.force)), {}), state_.force = keys_.force;
    else
      kick(step, bit_, vector(keys_.acceleration), {}), state_.force = scaled(whole_.mass, keys_.acceleration);
    state_.place = whole_.place;
  }
  void addQuantities(std::map<std::string, double>& all) const override {
    for (std::size_t a = 0; a < 3; ++a) {
      all[columnOf(keys_, std::string("force_") + "xyz"[a])] = state_.force[a];
      all[columnOf(keys_, std::string(1, "xyz"[a]))] = state_.place[a];
    }
    if (!keys_.isSpring()) return;
    all[columnOf(keys_, "length")] = state_.length, all[columnOf(keys_, "energy")] = state_.energy;
    all[columnOf(keys_, "work")] = state_.work;
  }
  std::vector<i64> state() const override {
    if (!keys_.isSpring()) return {};
    std::vector<i64> words{static_cast<i64>(keys_.style), state_.known ? 1 : 0, std::bit_cast<i64>(state_.work)};
    for (const auto& numbers : {state_.anchor, state_.force, state_.velocity, keys_.at})
      for (const double x : numbers) words.push_back(std::bit_cast<i64>(x));
    return words;
  }
  // A deck may pull otherwise than the run that it goes on with: then it begins anew. The point goes on from where it
  // is, unless the deck says of a spring that it was elsewhere in step 0.
  void restore(const std::vector<i64>& words) override {
    if (!keys_.isSpring() || words.empty() || words[0] != static_cast<i64>(keys_.style)) return;
    if (words.size() != 9 && words.size() != 12 && words.size() != 15)  // earlier versions had fewer
      throw InputError("the checkpoint's state of " + name() + " is not one");
    state_.known = words[1] != 0, state_.work = std::bit_cast<double>(words[2]);
    const auto three = [&](std::size_t first) {
      std::array<double, 3> numbers{};
      for (std::size_t a = 0; a < 3; ++a) numbers[a] = std::bit_cast<double>(words[first + a]);
      return numbers;
    };
    state_.force = three(6);
    if (keys_.style != PullStyle::tow && (words.size() < 15 || three(12) != keys_.at)) return;
    state_.anchor = three(3);
    if (words.size() > 9) state_.velocity = three(9);
  }

private:
  static std::array<double, 3> scaled(double by, std::array<double, 3> x) {
    for (double& c : x) c *= by;
    return x;
  }
  static Vec3<Real> vector(const std::array<double, 3>& x) { return {Real(x[0]), Real(x[1]), Real(x[2])}; }

  void pullBySpring(const PhaseStep& step) {
    whole_ = members_->whole(bit_);
    const Whole other = otherBit_ ? members_->whole(otherBit_) : Whole{};
    if (!state_.known && keys_.style == PullStyle::tow)
      state_.anchor = whole_.place;  // of this step, which is 0 unless a resumed run has begun to pull
    const double time = static_cast<double>(step.step) * timestep_ + start_;
    if (!state_.known && keys_.style == PullStyle::tow)
      for (std::size_t a = 0; a < 3; ++a) state_.anchor[a] -= keys_.velocity[a] * time;
    for (std::size_t a = 0; a < 3; ++a) state_.anchor[a] += (state_.velocity[a] - keys_.velocity[a]) * time;
    state_.velocity = keys_.velocity;
    std::array<double, 3> d{};
    double square = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double point = otherBit_ ? other.place[a] : state_.anchor[a] + keys_.velocity[a] * time;
      if (keys_.along[a]) d[a] = whole_.place[a] - point;
      square += d[a] * d[a];
    }
    state_.length = std::sqrt(square), state_.place = whole_.place;
    const double stretch = state_.length - keys_.r0;
    const auto before = state_.force;
    state_.force = scaled(state_.length > 0.0 ? -keys_.k * stretch / state_.length : 0.0, d);
    state_.energy = 0.5 * keys_.k * stretch * stretch;
    if (state_.known)
      for (std::size_t a = 0; a < 3; ++a)
        state_.work += 0.5 * (before[a] + state_.force[a]) * keys_.velocity[a] * timestep_;
    state_.known = true;
    kick(step, bit_, vector(scaled(1.0 / whole_.mass, state_.force)), {});
    if (otherBit_) kick(step, otherBit_, vector(scaled(-1.0 / other.mass, state_.force)), {});
  }
  void kick(const PhaseStep& step, u32 bit, const Vec3<Real>& acceleration, const Vec3<Real>& each) const {
    auto& population = members_->population();
    const auto& arrays = population.arrays();
    Kokkos::parallel_for("pull", Range(0, arrays.count),
                         PullKick<P>{members_->groups(), bit, arrays.velocity->current, population.observedVelocity(),
                                     population.observedForce(), population.mass(), population.inverseMass(),
                                     acceleration, each, step.step == 0 ? Real(0) : Real(0.5 * timestep_), step.guard});
  }

  std::shared_ptr<const Members<P>> members_;
  PullKeys keys_;
  std::size_t number_;
  double timestep_, start_;  // start_: what time it was in step 0
  u32 bit_, otherBit_;       // 0: there is no other
  std::shared_ptr<Schedule> schedule_;
  Whole whole_;
  PullState state_;
};

}  // namespace mesowarp::group
