#include "perf/bench/bench_floor.hpp"

#include <cmath>

namespace mesowarp {
namespace {

double sphere(double radius) { return 4.0 / 3.0 * M_PI * radius * radius * radius; }

// Position and velocity read and written, tag and position at build read; mixed: the lower halves of both, in place.
double stateBytes(input::Precision precision) {
  const bool wide = precision == input::Precision::double_;
  const double record = wide ? 32.0 : 16.0, halves = precision == input::Precision::mixed ? 2.0 * (12.0 + 12.0) : 0.0;
  return 4.0 * record + halves + 4.0 + (wide ? 24.0 : 12.0);
}

// Crossings and keys; a counting sort (key and place read, index written; key and index read, key written; five words
// per cell of seven); all fields moved; the list.
double rebuildBytes(input::Precision precision, double listBytes) {
  const bool wide = precision == input::Precision::double_;
  const double keys = wide ? 32.0 + 24.0 + 4.0 : 16.0 + 12.0 + 4.0;
  const double fields = (wide ? 64.0 : 32.0) + (precision == input::Precision::mixed ? 24.0 : 0.0) + 4.0 + 8.0;
  return keys + 12.0 + 12.0 + 3.0 + 2.0 * fields + (wide ? 24.0 : 12.0) + listBytes;
}

}  // namespace

StepCost stepCost(const BenchCase& bench, double skin, bool onGpu) {
  StepCost cost;
  cost.listed = bench.density * sphere(bench.cutoff + skin);
  cost.inRange = bench.density * sphere(bench.cutoff);
  const double listBytes = 4.0 * cost.listed + (onGpu ? 8.0 : 12.0);
  cost.bytes = stateBytes(bench.precision) + listBytes;
  cost.rebuildBytes = rebuildBytes(bench.precision, listBytes);
  // A pair: separation and velocities 19, distance and weight 6, logarithm, sine, root and products 23, words to
  // uniform numbers 6, force and sums 15; two signatures sorted and mixed 66, or 17 by multiplications.
  cost.realOperations = 69.0 * cost.inRange + driftOperations;
  cost.integerOperations =
      (bench.pairNoise == input::PairNoise::tea ? 66.0 : 17.0) * cost.inRange + signatureOperations;
  cost.filterOperations = 16.0 * cost.listed;
  return cost;
}

StepFloor stepFloor(const StepCost& cost, const BenchCase& bench, const backend::MachineRates& machine, double every) {
  StepFloor floor;
  floor.memorySeconds = (cost.bytes + cost.rebuildBytes / every) / machine.copyBytesPerSecond;
  const double realRate =
      bench.precision == input::Precision::single ? machine.floatPerSecond : machine.doublePerSecond;
  floor.issueSeconds = cost.realOperations / realRate + cost.integerOperations / machine.integerPerSecond +
                       cost.filterOperations / machine.floatPerSecond;
  return floor;
}

}  // namespace mesowarp
