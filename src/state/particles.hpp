// The particle container of a box population: the state between two force evaluations, x_k and the half-step velocity.
//
// Step k's pair kernel reads (x_k, half-step velocity) and writes (x_{k+1}, next half-step velocity). What pair forces
// read (position with signature, velocity with species) is double-buffered: the kernel reads `current` and writes
// `next`, then the two change places. No thread reads what another one writes, so the result cannot depend on the order
// in which particles are done. What only the particle itself reads (in mixed precision the lower halves of position and
// velocity) is updated in place.
//
// All of a deck's populations of particles in a box share this one container, so that one traversal sees them all. Such
// a [[population]] is a way to create particles; what stays of it is the species, an integer beside the velocity, and
// the bonds. Coefficients are a table over pairs of species; a deck with a single species gets a kernel that looks
// nothing up.
#pragma once

#include "core/box.hpp"
#include "core/images.hpp"
#include "device/config.hpp"
#include "device/host_copy.hpp"
#include "state/fields.hpp"

namespace mesowarp {

template <class P>
struct ParticleArrays {
  using Coord = typename P::Coord;
  using Store = typename P::Store;
  using Real = typename P::Real;

  // What the active interactions read of a neighbour, beside its position.
  struct GhostNeeds {
    bool velocity = true;  // or its species
    bool tag = false;      // bonds and exclusions do
  };

  // Registers the fields of `count` particles, with room for `capacity`. splitVelocity: the integrator's velocity is
  // not quite the one that pair forces read (mixed precision, or Groot & Warren's predictor with lambda other than
  // 1/2); twoResiduals: both.
  ParticleArrays(int count_, int capacity_, bool splitVelocity, bool twoResiduals, int bondsPerParticle,
                 GhostNeeds ghost)
      : count(count_), capacity(capacity_) {
    const auto n = static_cast<std::size_t>(capacity);
    position =
        fields.add<PairPosition<Coord>>("position", moves | ghosted | stepwise | checkpointed | rewritten, n, 1, true);
    velocity = fields.add<PairVelocity<Store>>(
        "velocity", moves | checkpointed | rewritten | (ghost.velocity ? ghosted | stepwise : 0u), n, 1, true);
    if (P::splitMaster) positionLow = fields.add<Vec3<u32>>("position_low", moves | checkpointed, n);
    if (splitVelocity) velocityLow = fields.add<Vec3<Store>>("velocity_low", moves | checkpointed, n);
    if (splitVelocity && twoResiduals) velocityRest = fields.add<Vec3<Store>>("velocity_rest", moves | checkpointed, n);
    // On a GPU a second buffer of 12 bytes per particle spares a reordering its second pass.
    tag = fields.add<u32>("tag", moves | checkpointed | (ghost.tag ? ghosted : 0u), n, 1, backend::onGpu);
    image = fields.add<u64>("image", moves | checkpointed, n, 1, backend::onGpu);
    built = fields.add<Vec3<Coord>>("position_at_build", checkpointed, n);
    if (bondsPerParticle > 0) {
      bondPartner = fields.add<u32>("bond_partner", moves | checkpointed, n, bondsPerParticle);
      bondType = fields.add<i32>("bond_type", moves | checkpointed, n, bondsPerParticle);
    }
  }

  int count;       // of this rank's own particles
  int ghosts = 0;  // copies of neighbours' particles, stored behind them
  int capacity;    // room for both
  FieldRegistry fields;
  std::shared_ptr<Field<PairPosition<Coord>>> position;
  std::shared_ptr<Field<PairVelocity<Store>>> velocity;
  std::shared_ptr<Field<Vec3<u32>>> positionLow;     // the integrator's lower 32 bits
  std::shared_ptr<Field<Vec3<Store>>> velocityLow;   // the integrator's velocity minus the one that pair forces read
  std::shared_ptr<Field<Vec3<Store>>> velocityRest;  // what velocityLow lacks of that when the difference is not small
  std::shared_ptr<Field<u32>> tag;
  std::shared_ptr<Field<u64>> image;          // box crossings up to the last build (see packImage)
  std::shared_ptr<Field<Vec3<Coord>>> built;  // pair position at the last build of the neighbour list
  std::shared_ptr<Field<u32>> bondPartner;    // tags; noBond: an empty slot
  std::shared_ptr<Field<i32>> bondType;

  // More room; what is being written of the next step is lost.
  void grow(int particles) {
    fields.grow(static_cast<std::size_t>(particles));
    capacity = particles;
  }
  // These positions, and what else changes in every step as it is, to where the next state of own particles is being
  // written; ghosts' stay.
  void writeNext(const DeviceArray<PairPosition<Coord>>& positions) {
    const auto n = static_cast<std::size_t>(count);
    for (const auto& field : fields.all())
      if (field->has(rewritten) && field != position) field->copyToNext(n);
    copyOnDevice(position->next.data(), positions.data(), n * sizeof(PairPosition<Coord>));
  }
};

// One buffer of the state.
template <class P>
struct StateView {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> velocity;
  DeviceArray<Vec3<u32>> positionLow;                 // one buffer, updated in place; see ParticleArrays
  DeviceArray<Vec3<typename P::Store>> velocityLow;   // likewise
  DeviceArray<Vec3<typename P::Store>> velocityRest;  // likewise
};

}  // namespace mesowarp
