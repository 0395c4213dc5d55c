// Moves bodies on by one run.timestep dt. x, v, a, j: position, velocity, acceleration, jerk; subscripts 0 and 1: at
// the step's begin and end.
//
//   leapfrog         v_h = v_0 + dt/2 a_0,  x_1 = x_0 + dt v_h,  v_1 = v_h + dt/2 a_1
//   velocity-verlet  x_1 = x_0 + dt v_0 + dt^2/2 a_0,  v_1 = v_0 + dt/2 (a_0 + a_1)        (the same but for rounding)
//   langevin         BAOAB (Leimkuhler & Matthews 2013): leapfrog with the noise in the middle of the drift,
//                    v' = e^(-friction dt) v_h + sqrt((1 - e^(-2 friction dt)) k_BT / m) xi
//   hermite          predict x, v with a_0, j_0; a_1, j_1 there; correct (Makino & Aarseth 1992):
//                    v_1 = v_0 + dt/2 (a_0 + a_1) + dt^2/12 (j_0 - j_1),
//                    x_1 = x_0 + dt/2 (v_0 + v_1) + dt^2/12 (a_0 - a_1)
//   hermite-block    the same, each body with a step of its own: block_steps.hpp
#pragma once

#include "core/random.hpp"
#include "physics/nbody/integrate/block_steps.hpp"
#include "physics/nbody/integrate/body_state.hpp"

namespace mesowarp::nbody {

class BodyIntegrator {
public:
  // count: bodies of this rank. Collective are start(), advance() and advancePrepared().
  BodyIntegrator(const input::Deck& deck, BodyForce& force, int count);
  // Forces of the state, once; afterwards state.ready.
  void start(BodyState& state);
  // From the state at step - 1 to that at `step`.
  void advance(BodyState& state, i64 step);
  // Several steps, at most mostPrepared. If it repeats(), so many prepared steps are always the same kernels with the
  // same arguments.
  static constexpr int mostPrepared = 32;
  bool repeats() const;
  void prepare(i64 first, int steps);
  void advancePrepared(BodyState& state, int steps);
  std::size_t bytes() const;

private:
  void evaluate(BodyState& state);
  void leapfrog(BodyState& state);
  void velocityVerlet(BodyState& state);
  void langevin(BodyState& state, int prepared);
  void advanceBy(BodyState& state, int prepared);
  void hermite(BodyState& state);

  Scheme scheme_;
  SchemeKeys how_;
  double timestep_, temperature_;
  std::uint64_t seed_;
  BodyForce& force_;
  DeviceArray<backend::BodySums> sums_;
  DeviceArray<StepKey> keys_;  // langevin: of the prepared steps
  Vectors oldPosition_, oldVelocity_, oldAcceleration_, oldJerk_;
  BlockSteps blocks_;
};

}  // namespace mesowarp::nbody
