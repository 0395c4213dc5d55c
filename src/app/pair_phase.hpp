// Pair forces of a deck as phases of a step: one virtual call each, templates inside. The last one carries the
// integrator as its epilogue.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/pair_kernel.hpp"
#include "input/species.hpp"
#include "physics/boundary/walls.hpp"
#include "physics/integrate/drive.hpp"
#include "physics/integrate/verlet.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/pair/lennard_jones.hpp"

namespace mesowarp {

template <class P>
using MasterCoord = std::conditional_t<P::splitMaster, u64, typename P::Coord>;
template <class P>
using Epilogue = VerletEpilogue<P, Mover<MasterCoord<P>, typename P::Real>, Drives<typename P::Coord, typename P::Real>>;

template <class P>
class PairPhase {
 public:
  virtual ~PairPhase() = default;
  virtual double cutoff() const = 0;
  virtual bool readsVelocities() const = 0;  // or species
  // Adds to `force`; with sums, adds energy and virial.
  virtual void accumulate(const PairState<P>& state, const DeviceArray<Vec3<typename P::Real>>& force, int particles,
                          ThermoSums* sums) const = 0;
  // Of the particles of these blocks. side: on that stream (without sums); null: on the main one.
  virtual void finish(const PairState<P>& state, const Epilogue<P>& epilogue, const backend::ParticleBlocks& blocks,
                      ThermoSums* sums, const backend::SideStream* side = nullptr) const = 0;
};

template <class P, class Force>
class PairPhaseOf final : public PairPhase<P> {
 public:
  explicit PairPhaseOf(PairTable<Force> table) : table_(std::move(table)) {}
  double cutoff() const override { return table_.cutoff; }
  bool readsVelocities() const override { return Force::usesVelocity || table_.species > 1; }
  void accumulate(const PairState<P>& state, const DeviceArray<Vec3<typename P::Real>>& force, int particles,
                  ThermoSums* sums) const override {
    run(state, AddToForce<typename P::Real>{force}, {particles}, sums, nullptr);
  }
  void finish(const PairState<P>& state, const Epilogue<P>& epilogue, const backend::ParticleBlocks& blocks,
              ThermoSums* sums, const backend::SideStream* side) const override {
    run(state, epilogue, blocks, sums, side);
  }

 private:
  template <class E>
  void run(const PairState<P>& state, const E& epilogue, const backend::ParticleBlocks& blocks, ThermoSums* sums,
           const backend::SideStream* side) const {
    if (table_.species == 1)
      backend::runPairs(Force::label, blocks, PairKernel<P, Force, true, E>{state, table_, epilogue}, sums, side);
    else
      backend::runPairs(Force::label, blocks, PairKernel<P, Force, false, E>{state, table_, epilogue}, sums, side);
  }
  PairTable<Force> table_;
};

// The phase of one force, or null if no interaction of the deck is its.
template <class P, class Force>
std::unique_ptr<PairPhase<P>> makePhase(const input::Deck& deck) {
  const std::size_t n = deck.species.size();
  std::vector<typename Force::Coefficients> pairs(n * n);
  double cutoff = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto* interaction = input::pairInteraction(deck, deck.species[i], deck.species[j]);
      if (!interaction || !Force::handles(*interaction, deck)) continue;
      pairs[i * n + j] = Force::coefficients(*interaction, deck.run.timestep);
      cutoff = std::max(cutoff, interaction->cutoff);
    }
  }
  if (cutoff == 0.0) return nullptr;
  return std::make_unique<PairPhaseOf<P, Force>>(PairTable<Force>::make(pairs, static_cast<int>(n), cutoff));
}

// All pair forces that mesowarp has: a new one is one more line here.
template <class P>
std::vector<std::unique_ptr<PairPhase<P>>> makePairPhases(const input::Deck& deck) {
  using Real = typename P::Real;
  std::vector<std::unique_ptr<PairPhase<P>>> phases;
  const auto add = [&](std::unique_ptr<PairPhase<P>> phase) {
    if (phase) phases.push_back(std::move(phase));
  };
  add(makePhase<P, LennardJonesForce<Real>>(deck));
  add(makePhase<P, DpdForce<Real, true, TeaMixing>>(deck));
  add(makePhase<P, DpdForce<Real, false, TeaMixing>>(deck));
  add(makePhase<P, DpdForce<Real, true, MultiplyMixing>>(deck));
  add(makePhase<P, DpdForce<Real, false, MultiplyMixing>>(deck));
  return phases;
}

}  // namespace mesowarp
