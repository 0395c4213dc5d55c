// A step of tracers: x += u dt + sqrt(2 D dt) xi. run(k) moves the state of step k - 1 to step k, so what it leaves is
// that of step k; in step 0 nothing moves.
#pragma once

#include "physics/tracers/tracer_population.hpp"
#include "step/engine.hpp"

namespace mesowarp::tracers {

class TracerPhase final : public Phase {
public:
  TracerPhase(TracerPopulation& tracers, const input::Deck& deck);

  std::vector<FieldUse> uses() const override {
    return {{"tag", FieldUse::reads}, {"position", FieldUse::writes}, {"image", FieldUse::writes}};
  }
  bool repeatable() const override { return true; }
  bool recordable() const override { return true; }
  void run(const PhaseStep& step) override;
  void addQuantities(std::map<std::string, double>& quantities) const override;

private:
  TracerPopulation& tracers_;
  u64 seed_;
  Vec3<double> drift_, width_;  // of a step: u dt, sqrt(2 D dt); in ticks, 2^-64 of a period
  double meanSquared_ = 0.0;    // displacement since the start, of the last step that was observed, length^2
};

// Adds the deck's tracers and their phase; ranks: null: one.
TracerPopulation& addTracers(Engine& engine, const input::Deck& deck, const comm::Communicator* ranks);

}  // namespace mesowarp::tracers
