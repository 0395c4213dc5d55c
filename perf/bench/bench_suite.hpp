// The standard fluid, run by Simulation as any deck is.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "perf/bench/bench.hpp"
#include "perf/bench/machine/machine_rates.hpp"
#include "step/engine.hpp"

namespace mesowarp {

class Simulation;

struct ThermoSeries {
  std::vector<double> temperature, pressure;
};
struct Measured {
  double seconds = 0.0, bytesPerParticle = 0.0;
  ThermoSeries series;
  ListCounters counters;  // of the timed steps
  std::string transport;  // of ghosts, where there are several ranks
};
// A simulation whose steps are timed, in several turns if need be.
class TimedRun {
public:
  // Starts, and runs the plan's equilibration. turns: how often turn() will be called, at most; ranks: null: one;
  // otherwise collective among them.
  TimedRun(const input::Deck& deck, const BenchPlan& plan, int turns, const comm::Communicator* ranks = nullptr);
  ~TimedRun();
  // Seconds of the plan's steps, as often once more.
  double turn();
  double startSeconds() const { return startSeconds_; }  // of the initial state and of memory
  // Of all turns so far; seconds: of the last.
  const Measured& measured();

private:
  input::Deck deck_;
  BenchPlan plan_;
  const comm::Communicator* ranks_;
  Measured measured_;
  std::unique_ptr<Simulation> simulation_;
  double startSeconds_ = 0.0;
  i64 next_ = 0;  // step
  ListCounters before_;
};
// One turn. Collective, as above.
Measured measureSteps(const input::Deck& deck, const BenchPlan& plan, const comm::Communicator* ranks = nullptr);

// Runs one case, prints its line and returns its record; `status` in it is "done", "skipped" or "failed".
nlohmann::json runSuiteCase(const BenchCase& bench, const BenchPlan& plan, const backend::MachineRates& machine);

// Transport DPD against plain DPD (bench_tdpd.cpp).
nlohmann::json benchTdpd(const BenchPlan& plan);
// What of it is put on several ranks: with one solute, without walls.
input::Deck tdpdDeck(const BenchCase& bench, const BenchPlan& plan);

// Suspensions of red blood cells (cells/bench_rbc.cpp).
nlohmann::json benchRbc(const BenchPlan& plan);
// Those of a number of particles, one after the other.
std::vector<input::Deck> rbcDecks(const BenchCase& bench, const BenchPlan& plan);

void printSuiteHeader(const BenchPlan& plan);

nlohmann::json recordOf(const BenchCase& bench);

// Why a case cannot be run: its box is too small, or the memory is; empty: it can.
std::string whyNot(const input::Deck& deck);

// Speed of a collision solvent: the MPCD paper's fluid (10 particles a cell, 130 degrees, 0.1 between collisions) of so
// many particles, in the nearest cube of whole cells, by each rule in each precision. Collision steps per second, sorts
// included, of an engine as a run has it.
nlohmann::json benchMpcd(const BenchPlan& plan);
// The same solvent on 1, 2, 4, … of the ranks. Collective; the root prints.
nlohmann::json scaleSolvent(const BenchPlan& plan, const comm::Communicator& ranks, bool weak);
nlohmann::json benchPolymer(const BenchPlan& plan);

}  // namespace mesowarp
