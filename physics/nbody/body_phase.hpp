// A step of bodies: the integrator, its forces included. run(k) moves the state from step k - 1 to step k (run(0)
// computes the first forces), so the state it leaves is that of step k, and a checkpoint of step k holds the one before
// it, that of step k - 1 with its derivatives.
//
// On a GPU steps of few bodies on one rank wait until there are 32 of them, or somebody looks at the state (settle()).
// They are the same kernels with the same arguments each time (a thermostat's keys are copied to the device before), so
// each number of them that comes again is one CUDA graph, recorded once. Block steps, where the host reads counts, do
// not wait.
#pragma once

#include <map>

#include "device/step_graph.hpp"
#include "physics/nbody/body_integrator.hpp"
#include "physics/nbody/body_observables.hpp"
#include "physics/nbody/body_population.hpp"
#include "step/engine.hpp"

namespace mesowarp {

class BodyPhase final : public Phase {
public:
  BodyPhase(BodyPopulation& bodies, const input::Deck& deck)
      : Phase("forces of all pairs, integration", bodies), bodies_(bodies),
        integrator_(deck, *bodies.force(), bodies.count()) {}

  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::writes}, {"velocity", FieldUse::writes}, {"acceleration", FieldUse::writes}};
  }
  void run(const PhaseStep& step) override;
  void settle() override;
  std::size_t memoryBytes() const override { return integrator_.bytes(); }
  void addQuantities(std::map<std::string, double>& quantities) const override;

private:
  void observe(ThermoSums& sums);

  BodyPopulation& bodies_;
  nbody::BodyIntegrator integrator_;
  ThermoSums sums_;
  nbody::BodyTotals totals_;
  // Steps that are the same kernels with the same arguments wait until so many can be launched as one graph, or
  // somebody looks at the state.
  struct Recording {
    backend::StepGraph graph;
    bool done = false;
  };
  int waiting_ = 0;
  i64 waitingSince_ = 0;
  std::map<int, Recording> recordings_;  // by the number of steps
  std::size_t memoryOfSteps_ = 0;        // that forces had when steps ran last: with more they have other arguments
};

// Adds the bodies of a deck and their phase; bodies: of this rank. Throws RunError if they are not its block of the
// tags.
BodyPopulation& addBodies(Engine& engine, const input::Deck& deck, int bodies, const RankPart& part = {});

}  // namespace mesowarp
