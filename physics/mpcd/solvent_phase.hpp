// The phases of a collision solvent. Between collisions it does nothing: at step k, a multiple of collision.every, it
// streams to where it is at k, and collides there. So the state of a step is that behind the last collision; the
// collision itself waits until the next one streams, or until somebody looks (solvent_pass.hpp). What is embedded in it
// collides at once: then the phase stands between the closing and the opening of that population's step.
#pragma once

#include "physics/mpcd/collisions.hpp"
#include "step/engine.hpp"

namespace mesowarp::mpcd {

class CollisionPhase final : public Phase {
public:
  // at: the solvent, or the population that is embedded in it.
  CollisionPhase(Population& at, std::unique_ptr<Collisions> collisions, i64 every)
      : Phase("streaming and collisions", at), collisions_(std::move(collisions)), every_(every),
        between_(at.listed() != nullptr) {}

  std::vector<FieldUse> uses() const override {
    return {{"tag", FieldUse::reads}, {"position", FieldUse::writes}, {"velocity", FieldUse::writes}};
  }
  bool due(i64 step) const override { return step > 0 && step % every_ == 0; }
  bool between() const override { return between_; }
  void run(const PhaseStep& step) override { collisions_->advance(step.step); }
  std::size_t memoryBytes() const override { return collisions_->bytes(); }

private:
  std::unique_ptr<Collisions> collisions_;
  i64 every_;
  bool between_;
};

// What somebody wants to see of a step.
class SolventObserver final : public Phase, public SumsOverSteps {
public:
  SolventObserver(Solvent& solvent, Collisions& collisions)
      : Phase("observables of the solvent", solvent), solvent_(solvent), collisions_(collisions),
        walls_(collisions.wallRecord()) {}

  std::vector<FieldUse> uses() const override { return {{"velocity", FieldUse::writes}}; }
  bool repeatable() const override { return true; }  // who looks waits for all before
  void run(const PhaseStep& step) override;
  // Behind the sum over ranks: these are of all of them, and the others' parts would be rounded otherwise.
  void finishSums(ThermoSums& sums) const override;
  // Without walls, zeros for their columns.
  const SumsUpTo& atBegin() const override { return walls_ ? walls_->atBegin() : none_; }
  const SumsUpTo& atLook() const override { return walls_ ? walls_->atLook() : none_; }
  void addMeans(const std::vector<i64>& summed, i64 steps, std::map<std::string, double>& quantities) const override;
  std::vector<i64> state() const override { return walls_ ? walls_->state() : std::vector<i64>{}; }
  void restore(const std::vector<i64>& words) override {
    if (walls_) walls_->restore(words);
  }

private:
  Solvent& solvent_;
  Collisions& collisions_;
  boundary::WallRecord* walls_;
  SumsUpTo none_;
  ThermoSums sums_;  // of the last observed step
};

// Adds the deck's solvent and its phases.
Solvent& addSolvent(Engine& engine, const input::Deck& deck, const RankPart& part);

}  // namespace mesowarp::mpcd
