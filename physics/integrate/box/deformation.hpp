// A box whose edges change at a given rate, or to given lengths:
//
//   L_a(k) = L_a(0) (1 + rate_a t),  or  L_a(0) + (size_a - L_a(0)) (k - from) / (to - from)
//
// or as a [[schedule]] of box.size says: a function of the step alone. Before every so-many-th step particles are
// stretched with the box, and velocities, which are those relative to the stretching flow, divided by the same factors:
// between steps dp_a/dt = -rate p_a, as in the SLLOD equations, so the work done on the particles is that of the
// pressure, dE = -sum of P_aa V d ln L_a. What drags pairs drags against that flow, too
// (physics/pair/flow_friction.hpp).
#pragma once

#include "physics/integrate/box/box_flow.hpp"
#include "state/listed_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

class DeformationPhase final : public Phase {
public:
  DeformationPhase(ListedPopulation& population, const input::Deck& deck)
      : Phase("deformation", population), listed_(population), flow_(deck) {}

  std::vector<FieldUse> uses() const override { return {{"velocity", FieldUse::writes}}; }
  bool due(i64) const override { return false; }  // it acts between steps
  bool repeatable() const override { return true; }
  bool recordable() const override { return true; }
  void run(const PhaseStep&) override {}
  bool changesBox(i64 step) const override { return flow_.changesAt(step); }
  void changeBox(i64 step) override { listed_.deform(flow_.sizeAt(step)); }

private:
  ListedPopulation& listed_;
  BoxFlow flow_;
};

}  // namespace mesowarp
