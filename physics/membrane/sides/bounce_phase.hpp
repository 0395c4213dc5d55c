// The bounce at membranes as a phase. Triangles move, and on several ranks a particle's triangles may have vertices of
// other ranks, so it comes first in a step, when all ranks have the places at which the last one has left particles and
// vertices. Particles come back; vertices get the impulses, those of ghosts by way of a sum over ranks; then ghosts are
// sent once more, and forces see the state behind the bounce.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "device/memory/bytes.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/membrane/sides/bounce_off.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp::membrane {

template <class P>
class BouncePhase final : public Phase {
public:
  using Real = typename P::Real;
  using Coord = typename P::Coord;

  BouncePhase(BoxPopulation<P>& population, const input::Deck& deck)
      : Phase(bouncePhase, population), population_(population), surfaces_(surfacesOf(deck)),
        timestep_(deck.run.timestep), hottest_(largestEver(deck, "run.temperature", deck.run.temperature)) {
    const auto room = static_cast<std::size_t>(population.arrays().capacity);
    before_ = population.fields().template add<Vec3<Coord>>("position_before", moves | ghosted | checkpointed | mayLack,
                                                            room);
    impulse_ = population.fields().template add<i64>("membrane_impulse", 0, room, 3);
  }

  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::readsGhosts},
            {"velocity", FieldUse::readsGhosts},
            {"tag", FieldUse::readsGhosts},
            {"position", FieldUse::writes},
            {"velocity", FieldUse::writes}};
  }
  // In the first step the host must know that the kernels have run.
  bool repeatable() const override { return begun_; }

  void run(const PhaseStep& step) override {
    const BounceState<P> state = stateOf(step);
    const auto& arrays = population_.arrays();
    if (begun_) {
      if (step.listIsNew || builds_ != population_.buildsHere()) {
        if (state.faces.on)
          Kokkos::parallel_for("places before, of images", Range(0, arrays.count + arrays.ghosts),
                               SlideBefore<P>{state});
        candidates_.find(population_, surfaces_, step.guard);
        builds_ = population_.buildsHere();
      }
      bounce(state, step);
      population_.addGhostsBack(*impulse_);
      Kokkos::parallel_for("impulses on membranes", Range(0, arrays.count), TakeImpulses<P>{state});
      clearGhosts();
      population_.refreshGhosts();
    }
    Kokkos::parallel_for("places before", Range(0, arrays.count + arrays.ghosts), KeepPlaces<P>{state});
    begun_ = true;
  }

  std::size_t memoryBytes() const override { return candidates_.bytes(); }
  std::vector<i64> state() const override { return begun_ ? std::vector<i64>{1} : std::vector<i64>(); }
  void restore(const std::vector<i64>& words) override { begun_ = !words.empty() && words.front() == 1; }
  const Surfaces& surfaces() const { return surfaces_; }

private:
  BounceState<P> stateOf(const PhaseStep& step) const {
    const auto& arrays = population_.arrays();
    const bool observed = step.wanted.snapshot || step.wanted.velocities;
    return {population_.view(false),
            before_->current,
            observed ? population_.observedLow() : DeviceArray<Vec3<u32>>(),
            population_.mass(),
            population_.inverseMass(),
            impulse_->current,
            arrays.tag->current,
            arrays.built->current,
            surfaces_,
            population_.facesAt(step.step - 1),
            population_.facesAt(step.step),
            step.guard};
  }
  void bounce(const BounceState<P>& state, const PhaseStep& step) {
    const auto& settings = population_.settings();
    const Box& box = settings.box;
    const auto ticks = [&](int bits) { return Vector{box.tick(0, bits), box.tick(1, bits), box.tick(2, bits)}; };
    constexpr int bits = 8 * static_cast<int>(sizeof(Coord));
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis) largest = std::max(largest, box.tick(axis, bits));
    const BounceOff<P> kernel{state,
                              ticks(bits),
                              ticks(64),
                              timestep_,
                              std::max(leastClearance, 16.0 * largest),
                              hottest_,
                              walled(),
                              watchOf(step),
                              candidates_.found(),
                              population_.flags().errors(),
                              population_.flags().moved(),
                              population_.looksLate() ? population_.flags().staleFrom().data() : nullptr};
    Kokkos::parallel_for("bounce at membranes", Range(0, candidates_.near()), kernel);
  }
  Watch watchOf(const PhaseStep& step) const {
    const auto& settings = population_.settings();
    const Shear& shear = settings.shear;
    const double time = static_cast<double>(step.step - population_.builds().lastRebuild) * timestep_,
                 slid = shear.on ? std::abs(shear.rate) * population_.reach() * time : 0.0,
                 left = std::max(0.0, 0.5 * (settings.skin - slid));
    Watch watch{step.rebuildNext ? -1.0 : left * left};
    if (shear.on)
      watch = {watch.halfSkin2, shear.flow, shear.gradient, shear.rate * time, 0.5 * settings.box.size[shear.gradient]};
    return watch;
  }
  // Coordinates of a sheared box do not wrap along its gradient, and there is no wall.
  Vec3<int> walled() const {
    const auto& settings = population_.settings();
    Vec3<int> walls{};
    for (int axis = 0; axis < 3; ++axis)
      walls[axis] = settings.box.periodic[axis] || (settings.shear.on && axis == settings.shear.gradient) ? 0 : 1;
    return walls;
  }
  // They have been added to their particles.
  void clearGhosts() {
    const auto& arrays = population_.arrays();
    if (arrays.ghosts == 0) return;
    fillOn(Execution(), impulse_->current.data() + 3 * static_cast<std::size_t>(arrays.count), 0,
           3 * static_cast<std::size_t>(arrays.ghosts) * sizeof(i64));
  }

  static constexpr double leastClearance = 1e-5;  // length

  BoxPopulation<P>& population_;
  Surfaces surfaces_;
  double timestep_, hottest_;
  std::shared_ptr<Field<Vec3<Coord>>> before_;
  std::shared_ptr<Field<i64>> impulse_;
  CandidateTable<P> candidates_;
  int builds_ = -1;
  bool begun_ = false;  // places of the step before are known
};

}  // namespace mesowarp::membrane
