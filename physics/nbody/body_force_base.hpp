// What all forces among bodies have, whatever the law and the accumulator (body_force_impl.hpp).
#pragma once

#include "physics/nbody/body_force.hpp"
#include "physics/nbody/largest_sums.hpp"
#include "physics/nbody/potential.hpp"

namespace mesowarp::nbody {

class BodyForceBase : public BodyForce {
public:
  explicit BodyForceBase(const ForceSettings& settings);
  ~BodyForceBase() override;
  double range() const override { return range_; }
  bool overflowed() const override { return overflow_() != 0; }

protected:
  BodyShare shareOf(const BodyView& bodies) const {
    return ranks_ ? BodyShare(allBodies_, ranks_) : BodyShare(bodies.count());
  }
  // Terms are multiplied by a power of two, so that sums within the range stay below 1.
  void setScale(double range);

  bool afterwards_;
  double range_ = 0.0, scale_ = 1.0;
  const comm::Communicator* ranks_;
  int allBodies_;
  backend::PairsWorkspace workspace_;
  PotentialMemory potential_;
  Kokkos::View<int, backend::SharedSpace> overflow_;
};

}  // namespace mesowarp::nbody
