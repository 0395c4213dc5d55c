// The MPCD paper's fluid in boxes of whole cells, and how fast its collisions are.
#pragma once

#include <array>
#include <string>

#include "comm/communicator.hpp"
#include "perf/bench/bench.hpp"
#include "perf/bench/timing.hpp"

namespace mesowarp {

struct SolventRule {
  std::string name, lines;  // of the deck's [collision], and what comes behind it
};

// 10 particles a cell, 0.1 between collisions.
input::Deck solventDeck(const SolventRule& rule, input::Precision precision, const std::array<int, 3>& cells);
// Of the cube with so many particles.
int cellsOfEdge(int particles);

struct SolventTiming {
  static constexpr int steps = 50;  // timed at once: one sort in each
  backend::Timing time;             // of so many steps
  i64 particles = 0;
  double bytesPerParticle = 0.0;
  std::string how;  // it is shared among ranks

  double seconds() const { return time.median / steps; }  // of a step
};
// Of an engine as a run has it. ranks: null or one: alone; else collective among them, on each its own clock.
SolventTiming timeSolvent(const input::Deck& deck, const BenchPlan& plan, const comm::Communicator* ranks = nullptr);

}  // namespace mesowarp
