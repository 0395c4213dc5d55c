// A thermostat of pairs, after Lowe, Europhys. Lett. 47, 145 (1999): particles i and j within r_T of each other collide
// at the rate Gamma. A collision draws their relative velocity along the line between them anew from Maxwell's
// distribution, mu the reduced mass, e the unit vector from j to i:
//
//   p_i += mu e (sqrt(k_BT / mu) xi - v_ij . e),  p_j -= the same.
//
// In a box that is stretched v_ij is with the flow of the box, v_ij + Gamma r_ij (box/box_flow.hpp).
//
// Momentum, angular momentum and the flow stay; the distribution at k_BT is left as it is, whatever the time step.
//
// Lowe goes through the pairs one after the other, so that results depend on the order. Here each pair is a candidate
// with probability p, by a hash of both tags and the step, and collides if neither of the two has another candidate.
// So no particle is in two collisions at once, no order is left, and every bit is the same on any number of ranks and
// threads. Who collides depends on places and tags alone, so what each collision leaves as it is stays so. With n
// neighbours on average, Poisson distributed, a pair collides with probability p exp(-2 p n): p is such that this is
// Gamma t. If that needs many candidates, the time t between two calls is divided among several rounds, one behind the
// other, so that 2 n Gamma t is at most 0.2 in each. Where particles are denser than on average collisions are a little
// rarer, by exp(-2 p (n' - n)).
//
// It stands between the closing and the opening of a step. A particle whose one candidate is a ghost's original on
// another rank tells it its velocity by a message to the ghost, which goes back with the halo (addGhostsBack): messages
// to a particle of one candidate come from that one alone, so their sum is the message.
//
// What pairs exchange is momentum that passes: r_a J_b / t of each pair is part of the step's virial, half of it of
// each of the two, in the steps in which pairs collide. A barostat does not see it (Phase::look): it is noise without a
// mean.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/bits.hpp"
#include "core/portable_math.hpp"
#include "core/random.hpp"
#include "device/host_copy.hpp"
#include "input/species.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "physics/integrate/bath_members.hpp"
#include "physics/integrate/box/box_flow.hpp"
#include "physics/integrate/collision_rate.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// What a round's kernels share. Messages: of each particle and ghost a flag, and a velocity's bits.
template <class P>
struct CollidingPairs {
  using Real = typename P::Real;
  static constexpr int words = 4;
  PairState<P> state;
  BathMembers members;
  DeviceArray<u32> tag, signature;
  DeviceArray<int> partner;  // of each particle its one candidate, or -1
  DeviceArray<i64> messages;
  DeviceArray<Vec3<Real>> velocity;
  Real cutoff2;
  u32 below;  // first words below that make a candidate
  StepKey key;
  Vec3<Real> flow;  // Gamma_aa of the box, 1 / time

  KOKKOS_INLINE_FUNCTION bool stops() const { return backend::onGpu && state.guard.stops(); }
  KOKKOS_INLINE_FUNCTION Vec3<Real> apart(int i, int j) const {
    return backend::separation<Real>(state.position(i), state.position(j), state.tick);
  }
  KOKKOS_INLINE_FUNCTION static Real square(const Vec3<Real>& r) {
    using math::fusedMultiplyAdd;
    return fusedMultiplyAdd(r.x, r.x, fusedMultiplyAdd(r.y, r.y, r.z * r.z));
  }
};

template <class P>
struct SignForCollisions {
  CollidingPairs<P> pairs;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (pairs.stops()) return;
    pairs.signature(i) = signature(pairs.tag(i), pairs.key);
    for (int w = 0; w < CollidingPairs<P>::words; ++w) pairs.messages(static_cast<std::size_t>(i) * 4 + w) = 0;
  }
};

// Of own particles: who has one candidate tells it.
template <class P>
struct ChoosePartners {
  CollidingPairs<P> pairs;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (pairs.stops()) return;
    const int j = only(i);
    pairs.partner(i) = j;
    if (j < 0) return;
    const Vec3<typename P::Real> v = pairs.velocity(i);
    const std::size_t at = static_cast<std::size_t>(j) * 4;
    Kokkos::atomic_add(&pairs.messages(at), i64{1});
    for (int axis = 0; axis < 3; ++axis)
      Kokkos::atomic_add(&pairs.messages(at + 1 + static_cast<std::size_t>(axis)),
                         static_cast<i64>(math::wordsOf(v[axis])));
  }

private:
  KOKKOS_INLINE_FUNCTION int only(int i) const {
    if (!pairs.members.has(i, pairs.state.velocity(i).species)) return -1;
    const NeighborRow row = pairs.state.neighbors.row(i);
    const u32 own = pairs.signature(i);
    int found = -1;
    for (int k = 0; k < row.size; ++k) {
      const int j = pairs.state.neighbors.entries(row.first + static_cast<i64>(k) * row.stride);
      if (pairWords(own, pairs.signature(j)).first >= pairs.below) continue;
      if (!pairs.members.has(j, pairs.state.velocity(j).species)) continue;
      if (!(pairs.square(pairs.apart(i, j)) < pairs.cutoff2)) continue;
      if (found >= 0) return -1;
      found = j;
    }
    return found;
  }
};

template <class P>
struct CollidePairs {
  using Real = typename P::Real;
  CollidingPairs<P> pairs;
  DeviceArray<Real> mass, inverseMass;
  Real temperature;
  double half;  // of a virial, by the time between two calls
  SumGrid grid;
  double* virial;  // of each particle; null: nobody asks

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    Vec3<Real> r;
    collide(i, r);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, ThermoSums& sums) const {
    Vec3<Real> r;
    const double scale = half * static_cast<double>(collide(i, r));
    if (scale == 0.0) return;
    for (int c = 0; c < 6; ++c) {
      const int a = c < 3 ? c : c < 5 ? 0 : 1, b = c < 3 ? c : c == 3 ? 1 : 2;
      const double w = scale * (static_cast<double>(r[a]) * static_cast<double>(r[b]));
      sums.virial[c] += grid(w);
      if (virial != nullptr) virial[6 * static_cast<std::size_t>(i) + c] += w;
    }
  }

private:
  // Its impulse by the distance, and where it is from its partner; 0: it has none.
  KOKKOS_INLINE_FUNCTION Real collide(int i, Vec3<Real>& r) const {
    using math::fusedMultiplyAdd;
    if (pairs.stops()) return Real(0);
    const int j = pairs.partner(i);
    const std::size_t at = static_cast<std::size_t>(i) * 4;
    if (j < 0 || pairs.messages(at) != 1) return Real(0);  // the other has another candidate
    r = pairs.apart(i, j);
    const Real square = pairs.square(r);
    if (!(square > Real(0))) return Real(0);
    Vec3<Real> v = pairs.velocity(i), to;
    for (int axis = 0; axis < 3; ++axis)
      to[axis] = fusedMultiplyAdd(
          pairs.flow[axis], r[axis],
          v[axis] - math::numberOf(static_cast<VelocityWords>(pairs.messages(at + 1 + static_cast<std::size_t>(axis))),
                                   Real()));
    const u32 mine = pairs.state.velocity(i).species, other = pairs.state.velocity(j).species;
    const Real inverse = math::Portable::inverseSquareRoot(square);  // 1 / r
    const Real along =
        inverse * fusedMultiplyAdd(to.x, r.x, fusedMultiplyAdd(to.y, r.y, to.z * r.z));  // v_ij . e, of both alike
    const Real perMass = inverseMass(mine) + inverseMass(other);                         // 1 / mu
    const Real thermal = math::Portable::squareRootPositive(temperature * perMass);
    const Real number = gaussian<Real, math::Portable>(pairWords(pairs.signature(i), pairs.signature(j), noiseStream));
    const Real impulse = math::Portable::quotient(fusedMultiplyAdd(thermal, number, -along), perMass);
    const Real by = impulse * inverse * inverseMass(mine);
    for (int axis = 0; axis < 3; ++axis) v[axis] = fusedMultiplyAdd(by, r[axis], v[axis]);
    pairs.velocity(i) = v;
    return impulse * inverse;
  }

  static constexpr u32 noiseStream = 1;
  using VelocityWords = decltype(math::wordsOf(Real()));
};

template <class P>
class LoweAndersenPhase final : public Phase {
public:
  using Real = typename P::Real;
  // number: among the deck's thermostats; schedule: null: nothing changes with the step.
  LoweAndersenPhase(BoxPopulation<P>& population, const input::Deck& deck, std::size_t number, SumGrid grid,
                    std::shared_ptr<Schedule> schedule = nullptr)
      : Phase(nameOf(thermostatsOf(deck).at(number)), population), population_(population), number_(number),
        keys_(thermostatsOf(deck).at(number)), deck_(deck), flow_(deck), grid_(grid), schedule_(std::move(schedule)) {
    if (schedule_ && !schedule_->changes(Scheduled::thermostat) && !schedule_->changes(Scheduled::temperature))
      schedule_ = nullptr;
    members_ = membersOf<P>(deck, keys_);
    messages_ = population.fields().template add<i64>(
        "messages of " + name(), 0u, static_cast<std::size_t>(population.arrays().capacity), CollidingPairs<P>::words);
  }
  std::vector<FieldUse> uses() const override {
    return {{"tag", FieldUse::readsGhosts}, {"position", FieldUse::readsGhosts}, {"velocity", FieldUse::writes}};
  }
  bool due(i64 step) const override { return step > 0 && step % keys_.every == 0; }
  bool repeatable() const override { return population_.ranks() == nullptr; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override {
    if (schedule_) keys_ = thermostatsOf(schedule_->at(step.step)).at(number_);
    findGroups(population_, members_);
    collided_ = {};
    const auto flow = flow_.rateAt(step.step);
    flowNow_ = {Real(flow[0]), Real(flow[1]), Real(flow[2])};
    const PairChoice choice = choiceOf(keys_, deck_, density());
    for (int round = 0; round < choice.rounds; ++round) {
      const u64 seed = deck_.run.seed + 0x9E3779B97F4A7C15u * (mostRounds * number_ + static_cast<u64>(round));
      collide(step, choice.probability, stepKey(seed, Stream::pairCollision, step.step));
    }
    if (!step.wanted.thermo) collided_ = {};
  }
  void finishSums(ThermoSums& sums) const override {
    if (const auto* ranks = population_.ranks()) ranks->sum(collided_.virial, 6);
    for (int c = 0; c < 6; ++c) sums.virial[c] += collided_.virial[c];
    collided_ = {};  // of a step without collisions
  }
  std::size_t memoryBytes() const override {
    return (signature_.extent(0) + partner_.extent(0)) * sizeof(u32);  // messages are a field's
  }

private:
  // Of those that may collide.
  double density() {
    if (count_ < 0) count_ = countInBath(population_, members_);
    const auto size = population_.boxSize();
    return static_cast<double>(count_) / (size[0] * size[1] * size[2]);
  }

  void collide(const PhaseStep& step, double probability, StepKey key) {
    const auto& arrays = population_.arrays();
    const auto capacity = static_cast<std::size_t>(arrays.capacity);
    if (signature_.extent(0) < capacity) {
      signature_ = DeviceArray<u32>("signatures of collisions", capacity);
      partner_ = DeviceArray<int>("partners of collisions", capacity);
    }
    const CollidingPairs<P> pairs{population_.pairState(step.guard, step.asBuilt),
                                  members_,
                                  arrays.tag->current,
                                  signature_,
                                  partner_,
                                  messages_->current,
                                  population_.observedVelocity(),
                                  Real(keys_.cutoff * keys_.cutoff),
                                  static_cast<u32>(std::min(probability * 0x1p32, 4294967295.0)),
                                  key,
                                  flowNow_};
    Kokkos::parallel_for("signatures of collisions", Range(0, arrays.count + arrays.ghosts),
                         SignForCollisions<P>{pairs});
    Kokkos::parallel_for("choose partners", Range(0, arrays.count), ChoosePartners<P>{pairs});
    population_.addGhostsBack(*messages_);
    const double time = deck_.run.timestep * static_cast<double>(keys_.every);
    backend::runKernel("collide pairs", arrays.count,
                       CollidePairs<P>{pairs, population_.mass(), population_.inverseMass(), Real(keys_.temperature),
                                       0.5 / time, grid_, population_.summed().virial()},
                       step.sums ? &collided_ : nullptr);
  }

  BoxPopulation<P>& population_;
  std::size_t number_;
  ThermostatKeys keys_;
  input::Deck deck_;
  BoxFlow flow_;
  Vec3<Real> flowNow_{};
  SumGrid grid_;
  std::shared_ptr<Schedule> schedule_;
  BathMembers members_;
  mutable ThermoSums collided_;  // of this rank, in a step that is looked at
  std::shared_ptr<Field<i64>> messages_;
  DeviceArray<u32> signature_;
  DeviceArray<int> partner_;
  i64 count_ = -1;  // of all ranks; not counted yet
};

}  // namespace mesowarp
