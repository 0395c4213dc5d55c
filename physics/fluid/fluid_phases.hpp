// The phases of particles in a box: bonds and all pair forces but the last add up, the last one carries the integrator.
#pragma once

#include <memory>
#include <utility>

#include "physics/fluid/integrator.hpp"

namespace mesowarp {

template <class P>
std::vector<FieldUse> usesOfPairForce(const PairPhase<P>& pair, FieldUse::Kind force) {
  std::vector<FieldUse> uses{{"position", FieldUse::readsGhosts}, {"force", force}};
  if (pair.readsVelocities()) uses.push_back({"velocity", FieldUse::readsGhosts});
  for (const FieldRequest& own : pair.fields()) {
    const bool summedHere = (own.traits & midstep) != 0 && !pair.sumsForces();
    if ((own.traits & ghosted) != 0 && !summedHere) uses.push_back({own.name, FieldUse::readsGhosts});
    if (own.doubleBuffered || (own.traits & ghosted) == 0 || summedHere) uses.push_back({own.name, FieldUse::writes});
  }
  return uses;
}

// Where several pair forces add up and no bonds come before them.
class ClearForces final : public Phase {
public:
  template <class P>
  explicit ClearForces(BoxPopulation<P>& population)
      : Phase("clear forces", population), clear_([&population] { population.summed().clear(); }) {}
  std::vector<FieldUse> uses() const override { return {{"force", FieldUse::writes}}; }
  bool repeatable() const override { return true; }
  void run(const PhaseStep&) override { clear_(); }

private:
  std::function<void()> clear_;
};

template <class P>
class BondPhase final : public Phase {
public:
  BondPhase(BoxPopulation<P>& population, std::shared_ptr<const BoxForces<P>> forces)
      : Phase("bonds", population), population_(population), forces_(std::move(forces)) {}
  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::readsGhosts}, {"tag", FieldUse::readsGhosts}, {"force", FieldUse::writes}};
  }
  bool repeatable() const override { return true; }
  void run(const PhaseStep& step) override {
    const auto& arrays = population_.arrays();
    const BondState<P> state{arrays.position->current,
                             arrays.tag->current,
                             arrays.bondPartner->current,
                             arrays.bondType->current,
                             population_.indexOfTag(),
                             population_.ticks(),
                             population_.facesAt(step.step),
                             static_cast<int>(arrays.bondPartner->width()),
                             step.guard,
                             population_.flags().errors()};
    forces_->sumBonds(state, population_.summed(), arrays.count, step.sums);
  }

private:
  BoxPopulation<P>& population_;
  std::shared_ptr<const BoxForces<P>> forces_;
};

// The k-th pair force. Sums that later ones read of ghosts are sent to these.
template <class P>
class PairForcePhase final : public Phase {
public:
  PairForcePhase(BoxPopulation<P>& population, std::shared_ptr<const BoxForces<P>> forces, std::size_t k)
      : Phase(forces->pairs[k]->label(), population), population_(population), forces_(std::move(forces)), k_(k) {}
  std::vector<FieldUse> uses() const override {
    return usesOfPairForce(*forces_->pairs[k_], sumsForces() ? FieldUse::adds : FieldUse::reads);
  }
  bool repeatable() const override { return true; }
  bool recordable() const override { return !sumsForces(); }
  void run(const PhaseStep& step) override {
    forces_->pairs[k_]->bind(population_.fields(), population_.flags(), step.wanted.any());
    forces_->pairs[k_]->accumulate(population_.pairState(step.guard, step.asBuilt), population_.summed(),
                                   population_.count(), step.sums);
    if (!sumsForces()) population_.sendSums();
  }

private:
  bool sumsForces() const { return forces_->pairs[k_]->sumsForces(); }

  BoxPopulation<P>& population_;
  std::shared_ptr<const BoxForces<P>> forces_;
  std::size_t k_;
};

// The last pair force, with the integrator: one kernel where nothing else sums forces and nothing stands between.
template <class P>
class FusedPhase final : public ClosingPhase {
public:
  FusedPhase(BoxPopulation<P>& population, std::shared_ptr<const BoxForces<P>> forces, FluidIntegrator<P> integrator)
      : ClosingPhase(std::string(forces->pairs.back()->label()) + ", kick, drift", population), population_(population),
        forces_(std::move(forces)), integrator_(std::move(integrator)) {}
  std::vector<FieldUse> uses() const override {
    auto uses = usesOfPairForce(*forces_->pairs.back(), FieldUse::reads);
    uses.insert(uses.end(), {{"position", FieldUse::writes}, {"velocity", FieldUse::writes}});
    return uses;
  }
  bool repeatable() const override { return true; }
  bool recordable() const override {
    return !population_.summed().kept();
  }  // that is cleared by a copy, which may wait
  void runBlocks(const PhaseStep& step, const backend::ParticleBlocks& blocks) override {
    bind(step);
    forces_->pairs.back()->finish(population_.pairState(step.guard, step.asBuilt), population_.summed(),
                                  integrator_.epilogue(population_, step, forces_->grid()), blocks, step.sums);
  }
  void close(const PhaseStep& step) override {
    bind(step);
    SummedForces total = population_.summed();
    if (!total.kept()) total = ownTotals(), total.addVirialsTo(population_.summed().virial());
    forces_->pairs.back()->accumulate(population_.pairState(step.guard, step.asBuilt), total, population_.count(),
                                      step.sums);
    forces_->close(total, epilogueInHalves(step), step.guard, population_.count(), step.sums);
  }
  void open(const PhaseStep& step, const backend::ParticleBlocks& blocks) override {
    forces_->open(epilogueInHalves(step), step.guard, blocks, step.sums);
  }
  void finishSums(ThermoSums& sums) const override {
    if (forces_->fixedUnit() > 0.0)
      for (int c = 0; c < 3; ++c) sums.force[c] = static_cast<double>(sums.fixedForce[c]) * forces_->fixedUnit();
  }

  // For benchmarks.
  const BoxForces<P>& forces() const { return *forces_; }
  const FluidIntegrator<P>& integrator() const { return integrator_; }

private:
  void bind(const PhaseStep& step) {
    forces_->pairs.back()->bind(population_.fields(), population_.flags(), step.wanted.any());
  }
  const SummedForces& ownTotals() {
    const std::size_t bytes = forces_->summedBytes();
    if (totals_.bytes() < static_cast<std::size_t>(population_.arrays().capacity) * bytes)
      totals_ = SummedForces(population_.arrays().capacity, bytes);
    else
      totals_.clear();
    return totals_;
  }
  Epilogue<P> epilogueInHalves(const PhaseStep& step) {
    Epilogue<P> e = integrator_.epilogue(population_, step, forces_->grid());
    e.observedVelocity = population_.observedVelocity();
    e.observedForce = population_.observedForce();
    return e;
  }

  BoxPopulation<P>& population_;
  std::shared_ptr<const BoxForces<P>> forces_;
  FluidIntegrator<P> integrator_;
  SummedForces totals_;  // of steps taken apart
};

}  // namespace mesowarp
