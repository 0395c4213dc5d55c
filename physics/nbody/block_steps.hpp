// Hermite's scheme with block time steps (McMillan 1986; Makino 1991): a body's step is run.timestep divided by a power
// of two, by Aarseth's criterion, and begins at a multiple of itself, so bodies of the same step move together. All
// bodies meet at the end of each run.timestep.
//
// One round: the earliest end of any step of any rank; this rank's bodies that end there, in the order of their tags,
// perhaps none, and then it takes part with an empty subset; all bodies predicted to that time; forces on those of the
// list alone; their correction and next step.
#pragma once

#include "physics/nbody/body_state.hpp"

namespace mesowarp::nbody {

class BlockSteps {
public:
  BlockSteps() = default;
  BlockSteps(const input::Integrator& how, double timestep, int count);
  // The first steps, from acceleration and jerk.
  void start(BodyState& state);
  // By one run.timestep. Collective.
  void advance(BodyState& state, BodyForce& force, const DeviceArray<backend::BodySums>& sums);
  std::size_t bytes() const;

private:
  i64 earliestEnd(const BodyState& state) const;
  int listActive(const BodyState& state, i64 now);

  input::Integrator how_;
  double tick_ = 0.0;            // length of the shortest step
  i64 whole_ = 1;                // ticks of run.timestep
  DeviceArray<i64> time_;        // since the last meeting, ticks
  Vectors position_, velocity_;  // predicted
  DeviceArray<int> active_;
};

}  // namespace mesowarp::nbody
