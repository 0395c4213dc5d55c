// The parts of a step, each timed alone.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kernels/sort/sort_counting.hpp"
#include "perf/bench/bench.hpp"
#include "perf/bench/timing.hpp"

namespace mesowarp {

struct PartResult {
  std::string part, variant, precision;
  double items = 0.0;  // a call
  std::string unit;    // of items
  backend::Timing timing;
  double bytes = 0.0, operations = 0.0;  // an item, counted; 0: not counted
  double worstError = -1.0;              // of a function over a dense sweep; negative: none
  std::string errorUnit, note;           // note: why there are no numbers, or what the paper has
};

void printPartsHeader();
nlohmann::json printPart(const PartResult& result);

// Random numbers, logarithm, sine, power.
std::vector<PartResult> mathParts(const BenchPlan& plan);
// Sorting of given keys in every style; `which` says what keys they are.
std::vector<PartResult> sortParts(const DeviceArray<u32>& keys, const std::string& which, const backend::SortTask& task,
                                  const BenchCase& bench, const BenchPlan& plan);
// Rebuild, pair forces and integration of an equilibrated fluid; `deck` is benchDeck(bench, plan).
std::vector<PartResult> stepParts(const input::Deck& deck, const BenchCase& bench, const BenchPlan& plan);

// The same, printed, as records; a part that cannot be measured has a `status` other than "done".
nlohmann::json runMathParts(const BenchPlan& plan);
nlohmann::json runStepParts(const BenchCase& bench, const BenchPlan& plan);

}  // namespace mesowarp
