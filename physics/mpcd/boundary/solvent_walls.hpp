// The walls around a collision solvent, for its steps: the solid, where it may be met, and the cells that its surface
// may cut.
#pragma once

#include "comm/rank_part.hpp"
#include "device/launch/launch_calling.hpp"
#include "physics/boundary/solid_on_device.hpp"
#include "physics/mpcd/boundary/solid_boundary.hpp"
#include "physics/mpcd/boundary/virtual_particles.hpp"
#include "physics/mpcd/collision_settings.hpp"
#include "physics/mpcd/solvent_pass.hpp"

namespace mesowarp::mpcd {

class SolventWalls {
public:
  // most: particles that a cell's sums have room for.
  SolventWalls(const input::Deck& deck, const RankPart& part, const BrickGrid& grid, int most);

  // For a pass over so many particles, which moves them or not.
  template <class P>
  SolidBoundary<P> boundary(int* mishap, int particles, bool moves) {
    if constexpr (backend::onGpu) queue_.makeRoom(static_cast<std::size_t>(particles));
    return {solid_.view(), near_.data(),         record_.tallies(), time_,
            mass_,         mishap + insideSolid, record_.forces(),  moves ? queue_.next() : boundary::BounceQueue{}};
  }

  // Behind a pass, before its sums are used: virtual particles of the cells that this rank answers for.
  template <class Pass>
  void addVirtual(const Pass& pass, i64 step) const {
    backend::launchCalling("virtual particles", count_ * VirtualParticles<Pass>::threads,
                           AddVirtualParticles<Pass>{pass, fluid_, keyOf(step), cells_.data()});
  }
  // Behind the records of the same step: what the collision gives to the walls, if a table asks.
  template <class Pass>
  void tallyVirtual(Pass pass, i64 step) const {
    if (!record_.forces()) return;
    pass.before = pass.after;
    backend::launchCalling("virtual particles' impulses", count_ * VirtualParticles<Pass>::threads,
                           TallyVirtualParticles<Pass>{pass, fluid_, keyOf(step), cells_.data()});
  }

  // They move, or are warm, as another deck says from now on, that differs in nothing else.
  void followMotions(const input::Deck& now) { solid_.follow(now); }
  void followTemperature(const input::Deck& now) { fluid_.spread = thermalSpeed(now, fluid_.mass); }

  boundary::WallRecord& record() { return record_; }
  int cells() const { return count_; }
  std::size_t bytes() const {
    return near_.extent(0) + cells_.extent(0) * sizeof(int) + solid_.bytes() + queue_.bytes();
  }

private:
  SolventWalls(const input::Deck& deck, const RankPart& part, const BrickGrid& grid, int most,
               const boundary::SolidParts& parts);
  StepKey keyOf(i64 step) const { return stepKey(seed_, Stream::virtualSolvent, step); }

  u64 seed_;
  double time_, mass_;  // mass: of a particle of the first species
  VirtualFluid fluid_;
  boundary::SolidOnDevice solid_;
  boundary::WallRecord record_;
  boundary::BounceQueueMemory queue_;  // on a GPU
  DeviceArray<double> atMost_;
  DeviceArray<unsigned char> near_;
  DeviceArray<int> cells_;
  int count_ = 0;
};

}  // namespace mesowarp::mpcd
