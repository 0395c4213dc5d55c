// The integrator of a deck's particles in a box, as the epilogue of their last pair force.
#pragma once

#include "input/deck.hpp"
#include "physics/fluid/box_forces.hpp"
#include "physics/integrate/drives_of.hpp"
#include "physics/integrate/flow_rate.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

template <class P>
class FluidIntegrator {
public:
  using Coord = typename P::Coord;
  using Real = typename P::Real;

  // schedule: null: nothing changes with the step.
  FluidIntegrator(const input::Deck& deck, const Box& box, std::shared_ptr<Schedule> schedule = nullptr)
      : schedule_(std::move(schedule)), timestep_(deck.run.timestep), lambda_(deck.integrator.lambda),
        seed_(deck.run.seed), flowRate_(FlowRate::of(deck)) {
    makeMover(deck, box);
    drives_ = drivesOf<Coord, Real>(deck);
  }

  const std::shared_ptr<FlowRate>& flowRate() const { return flowRate_; }
  // Of one step.
  Epilogue<P> epilogue(BoxPopulation<P>& population, const PhaseStep& step, const SumGrid& grid) const;

private:
  void makeMover(const input::Deck& deck, const Box& box);

  std::shared_ptr<Schedule> schedule_;
  double timestep_, lambda_;
  u64 seed_;
  Mover<MasterCoord<P>, Real> mover_;
  Drives<Coord, Real> drives_;
  std::shared_ptr<FlowRate> flowRate_;  // null: none
};

template <class P>
void FluidIntegrator<P>::makeMover(const input::Deck& deck, const Box& box) {
  const auto kind = [](input::FaceStyle style) {
    return style == input::FaceStyle::periodic         ? Face::periodic
           : style == input::FaceStyle::bounce_forward ? Face::bounceForward
                                                       : Face::bounceBack;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) mover_.walls.face[axis][side] = kind(deck.faces[axis][side]);
    mover_.walls.any = mover_.walls.any || !box.periodic[axis];
  }
}

template <class P>
Epilogue<P> FluidIntegrator<P>::epilogue(BoxPopulation<P>& population, const PhaseStep& step,
                                         const SumGrid& grid) const {
  const auto& arrays = population.arrays();
  const auto& settings = population.settings();
  const double halfSkin = 0.5 * settings.skin;
  Epilogue<P> e;
  e.old = population.view(false);
  e.next = population.view(true);
  e.tag = arrays.tag->current;
  e.built = arrays.built->current;
  if (step.wanted.velocities || (step.sums && settings.shear.on)) e.observedVelocity = population.observedVelocity();
  if (step.wanted.forces) e.observedForce = population.observedForce();
  e.mass = population.mass();
  e.inverseMass = population.inverseMass();
  e.grid = grid;
  e.mover = mover_;
  for (int axis = 0; axis < 3; ++axis)  // the box may change
    e.mover.ticksPerLength[axis] = static_cast<Real>(1.0 / settings.box.tick(axis, 8 * sizeof(MasterCoord<P>)));
  e.drives =
      schedule_ && schedule_->changes(Scheduled::drive) ? drivesOf<Coord, Real>(schedule_->at(step.step)) : drives_;
  if (flowRate_) e.drives.constant[flowRate_->keys.along] += Real(flowRate_->acceleration);
  e.closing = step.step == 0 ? Real(0) : Real(0.5 * timestep_);
  e.half = Real(0.5 * timestep_);
  e.timestep = Real(timestep_);
  e.predictor = Real((lambda_ - 0.5) * timestep_);
  e.tick = population.ticks();
  e.largestStep2 = Real(settings.cutoff * settings.cutoff);
  // In a sheared box displacements are watched in the flow (grid/shear_images.hpp).
  e.halfSkin2 = step.rebuildNext || settings.shear.on ? Real(-1) : Real(halfSkin * halfSkin);
  e.nextKey = stepKey(seed_, Stream::pairNoise, step.step + 1);
  e.step = step.step;
  e.errors = population.flags().errors();
  e.moved = population.flags().moved();
  e.staleFrom = population.looksLate() ? population.flags().staleFrom().data() : nullptr;
  return e;
}

}  // namespace mesowarp
