// Sums over all steps, which a table shows as means since its last row, and a measure as means since its last sample:
// each asker has a window of its own, so none shortens another's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace mesowarp {

class Engine;

// Whole numbers of all ranks, modulo 2^64: differences of two of them are right however long a run is.
struct SumsUpTo {
  i64 step = -1;
  std::vector<i64> of;
};

// What a phase has beside it that sums up in every step.
class SumsOverSteps {
public:
  virtual ~SumsOverSteps() = default;
  // Where the run began, or went on from a checkpoint; and the last step whose sums somebody wanted (Wanted::thermo).
  virtual const SumsUpTo& atBegin() const = 0;
  virtual const SumsUpTo& atLook() const = 0;
  // Adds columns for what was summed up in so many steps.
  virtual void addMeans(const std::vector<i64>& summed, i64 steps, std::map<std::string, double>& all) const = 0;
};

class Window {
public:
  // Quantities of a step whose sums were wanted: the engine's own, and means over the steps since the last call. The
  // same step again: the same numbers.
  std::map<std::string, double> quantities(const Engine& engine);

  // For a checkpoint; empty: nothing in this run sums up. Numbers below 2^32, so that doubles hold them.
  std::vector<double> state() const;
  // False: this is none.
  bool restore(const double* values, std::size_t count);

private:
  struct Seen {
    SumsUpTo from, to;  // of the last call
  };
  std::vector<Seen> seen_;  // of each phase that sums up
};

}  // namespace mesowarp
