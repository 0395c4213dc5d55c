// What a steady step must at least move and compute per particle (counted from the source; perf/NOTES.md has the
// tables), and the time that takes on a machine. Rebuilds are in a benchmark's time, and their bytes here; not their
// operations.
#pragma once

#include "perf/bench/bench.hpp"
#include "perf/bench/machine/machine_rates.hpp"

namespace mesowarp {

// Operations of a particle alone: kicks and drift, and its signature.
constexpr double driftOperations = 60.0, signatureOperations = 281.0;

struct StepCost {
  double listed = 0.0, inRange = 0.0;  // neighbours per particle, of a structureless fluid
  double bytes = 0.0;                  // of a steady step
  double rebuildBytes = 0.0;           // of a rebuild
  double realOperations = 0.0;         // in the precision of the pair force
  double integerOperations = 0.0;      // of 32 bits
  double filterOperations = 0.0;       // always single precision: who is in range
};

StepCost stepCost(const BenchCase& bench, double skin, bool onGpu);

struct StepFloor {
  double memorySeconds = 0.0, issueSeconds = 0.0;  // per particle-step
  double seconds() const { return memorySeconds > issueSeconds ? memorySeconds : issueSeconds; }
};

// every: steps between rebuilds.
StepFloor stepFloor(const StepCost& cost, const BenchCase& bench, const backend::MachineRates& machine, double every);

}  // namespace mesowarp
