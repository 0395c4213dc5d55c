// The walls of a deck as a phase: behind the closing kernel of each step, what has come into the solid bounces, before
// neighbours hear of it. Where a table asks, walls' forces are summed up: impulses of bounces, and the pair forces on
// their frozen particles, in every step, as means since the last row.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/boundary/solid_on_device.hpp"
#include "physics/boundary/wall_kernels.hpp"
#include "physics/integrate/drives_of.hpp"
#include "physics/integrate/flow_rate.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp::boundary {

template <class P>
class WallPhase final : public PhaseOfNext {
public:
  using Real = typename P::Real;

  // flowRate: what drives the fluid, or null.
  WallPhase(BoxPopulation<P>& population, const input::Deck& deck, std::shared_ptr<const FlowRate> flowRate)
      : WallPhase(population, deck, std::move(flowRate), solidOf(deck)) {}

  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::writes}, {"velocity", FieldUse::writes}, {"force", FieldUse::reads}};
  }
  bool repeatable() const override { return true; }
  bool recordable() const override { return true; }
  Wanted needs(i64) const override { return {.forces = record_.forces()}; }

  void runBlocks(const PhaseStep& step, const backend::ParticleBlocks& blocks) override {
    findNear();
    record_.at(step.step);
    const auto& arrays = population_.arrays();
    const double halfSkin = 0.5 * population_.settings().skin;
    const Box& box = population_.settings().box;
    constexpr int bits = 8 * sizeof(typename P::Coord);
    const int size = backend::blockSizeFor(blocks.particles);
    auto drives = drives_;
    if (flowRate_) drives.constant[flowRate_->keys.along] += static_cast<Real>(flowRate_->acceleration);
    const BounceParticles<P> bounce{population_.view(true),
                                    nearness_,
                                    arrays.tag->current,
                                    arrays.built->current,
                                    record_.forces() ? population_.observedForce() : DeviceArray<Vec3<Real>>(),
                                    population_.mass(),
                                    drives,
                                    solid_.view(),
                                    record_.tallies(),
                                    timestep_,
                                    {box.tick(0, bits), box.tick(1, bits), box.tick(2, bits)},
                                    step.rebuildNext ? -1.0 : halfSkin * halfSkin,
                                    step.step,
                                    population_.flags().errors(),
                                    population_.flags().moved(),
                                    population_.looksLate() ? population_.flags().staleFrom().data() : nullptr,
                                    step.guard,
                                    blocks,
                                    size};
    Kokkos::parallel_for("bounce at walls", Range(0, blocks.toDo(size) * size), bounce);
  }

  void finishSums(ThermoSums&) const override { record_.finish(); }
  void addQuantities(std::map<std::string, double>& quantities) const override { record_.fill(quantities); }
  std::vector<i64> state() const override { return record_.state(); }
  void restore(const std::vector<i64>& sums) override { record_.restore(sums); }
  std::size_t memoryBytes() const override { return nearness_.extent(0) + record_.bytes() + solid_.bytes(); }

private:
  WallPhase(BoxPopulation<P>& population, const input::Deck& deck, std::shared_ptr<const FlowRate> flowRate,
            const SolidParts& parts)
      : PhaseOfNext("bounce at walls", population), population_(population), timestep_(deck.run.timestep),
        drives_(drivesOf<typename P::Coord, Real>(deck)), flowRate_(std::move(flowRate)), solid_(parts),
        record_(deck, parts, population.ranks()) {}

  // Once behind each build of the list. A particle comes as near as half the skin and a step, which is less than the
  // cutoff.
  void findNear() {
    if (foundFor_ == population_.buildsHere() && nearness_.extent(0) >= static_cast<std::size_t>(population_.count()))
      return;
    foundFor_ = population_.buildsHere();
    const auto& arrays = population_.arrays();
    const auto& settings = population_.settings();
    if (nearness_.extent(0) < static_cast<std::size_t>(arrays.capacity))
      nearness_ = DeviceArray<unsigned char>("nearness to walls", static_cast<std::size_t>(arrays.capacity));
    Kokkos::parallel_for("find particles near walls", Range(0, arrays.count),
                         FindNear<P>{arrays.built->current, arrays.velocity->current, population_.inverseMass(),
                                     solid_.view(), 1.01 * (0.5 * settings.skin + settings.cutoff), nearness_});
  }

  BoxPopulation<P>& population_;
  double timestep_;
  Drives<typename P::Coord, Real> drives_;
  std::shared_ptr<const FlowRate> flowRate_;
  SolidOnDevice solid_;
  DeviceArray<unsigned char> nearness_;
  int foundFor_ = -1;          // the build of the list that nearness_ is of
  mutable WallRecord record_;  // an observed step ends what it sums up
};

}  // namespace mesowarp::boundary
