// `mesowarp bench`: options to a plan (bench_plan.cpp), the plan's cases to decks in memory, then
//
//   - suite (bench_suite.cpp), speed of the standard DPD fluid: a Simulation without files, driven by runSteps through
//     the same timestep as a run, with one recorder that keeps temperature and pressure; over MPI ranks as well
//     (bench_scaling.cpp);
//   - parts (bench_parts.device.cpp), of a step; random numbers and functions (bench_math.device.cpp);
//   - nbody, sums (bench_nbody.cpp, bench_sums.cpp), forces among bodies and the ways to sum them: BodyForce as a run
//     uses it, on made-up bodies (bench_body_systems.cpp); the figures instantiate laws of their own, and
//     bench_plain_loop.cpp has the loops in double that the CPU kernels are held against;
//   - tdpd (bench_tdpd.cpp), transport DPD beside plain DPD;
//   - rbc (cells/bench_rbc.cpp), suspensions of red blood cells, and blood;
//   - mpcd (bench_mpcd.cpp), speed of a collision solvent: an engine as a run has it; with chains in it, beside their
//     Langevin dynamics (bench_polymer.cpp);
//   - floors (bench_floor.cpp): the counts of perf/NOTES.md as code, to be changed with the kernels; the machine's
//     rates come from small kernels (machine_rates.device.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sort_style.hpp"
#include "input/deck.hpp"

namespace mesowarp {

// As given on the command line.
struct BenchRequest {
  std::string what = "all";  // suite, parts, nbody, sums, tdpd, rbc, mpcd, all (of DPD: suite and parts)
  std::vector<std::string> precision, pairNoise, reproducibility;
  std::vector<double> density, cutoff;
  std::vector<std::int64_t> particles;
  std::int64_t steps = -1, equilibration = -1;  // -1: the default
  std::string rebuild = "every:5";
  double skin = 0.3;
  std::vector<std::string> reorder{"on"};
  std::string sort;  // empty: the default
  int threads = 0;
  std::string json;
  bool force = false;  // replace the file
  bool quick = false;
  std::string scaling;  // weak, strong; empty: one rank
};

// One fluid to measure.
struct BenchCase {
  double density = 0.0, cutoff = 0.0;
  std::int64_t particles = 0;
  input::Precision precision = input::Precision::mixed;
  input::PairNoise pairNoise = input::PairNoise::tea;
  input::Reproducibility reproducibility = input::Reproducibility::deterministic;
};

// What a request asks for, checked.
struct BenchPlan {
  bool suite = false, parts = false, nbody = false, sums = false, tdpd = false, rbc = false, mpcd = false;
  std::vector<int> bodies;                       // nbody
  std::vector<input::Precision> bodyPrecisions;  // nbody, mpcd
  std::vector<int> solvents;                     // mpcd: particles
  int sumBodies = 0;                             // sums
  std::vector<BenchCase> cases;
  std::int64_t steps = 0, equilibration = 0;
  input::RebuildStyle rebuild = input::RebuildStyle::every;
  int every = 5;  // steps between rebuilds
  double skin = 0.3;
  bool ordered = true, shuffled = false;
  std::optional<SortStyle> sort;  // at rebuilds; none: the default
  int repetitions = 0;            // of each part
};

// Throws InputError with what is wrong with an option.
BenchPlan planBench(const BenchRequest& request, bool onGpu);

// The case as a deck; `steps` is one more than the benchmark runs.
input::Deck benchDeck(const BenchCase& bench, const BenchPlan& plan);

// Returns the exit code: 1 if a case failed. Throws InputError.
int runBench(const BenchRequest& request, int argc, char** argv);

}  // namespace mesowarp
