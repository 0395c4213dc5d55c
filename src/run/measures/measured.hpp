// One kind of [[measure]]: what a sample adds to sums, and what follows from them. measure_recorder.cpp does the rest:
// when, blocks, errors, files, checkpoints.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "run/measures/blocked_sums.hpp"
#include "run/recorders/recorder.hpp"

namespace mesowarp {

constexpr double notKnown = std::numeric_limits<double>::quiet_NaN();

// A file: rows along a coordinate.
struct MeasuredTable {
  std::string suffix;  // input::measureSuffixes
  std::string along;   // what the coordinate is
  std::vector<double> coordinate;
  std::vector<std::string> columns;
};
struct MeasuredValues {
  std::vector<double> count;                 // of each row: how many its numbers are a mean of
  std::vector<std::vector<double>> columns;  // of each column, by rows; NaN: not known
};

class Measured {
public:
  virtual ~Measured() = default;
  virtual Wanted needs() const = 0;       // of a step that is sampled
  virtual std::size_t width() const = 0;  // numbers of a sample
  // Whether sample `number` is taken.
  virtual bool takes(i64 /*number*/) const { return true; }
  // Behind a step: adds sample `number`, 0 for the measure's first step, to the sums. Collective; the same on all
  // ranks.
  virtual void sample(i64 number, i64 step, Engine& engine, std::vector<double>& sums) = 0;
  // Of the step as long before the first sample as samples are apart, if there is one; collective.
  virtual Wanted needsBefore() const { return {}; }
  virtual void before(Engine&) {}
  // What particles carry for it, of a sample that was added before (Recorder::replay).
  virtual void replay(i64 /*number*/, Engine&) {}
  virtual std::vector<MeasuredTable> tables() const = 0;
  // Of each table. allSamples: of the whole block, of which these may be a part.
  virtual std::vector<MeasuredValues> values(const SampleBlock& sums, double allSamples) const = 0;
  // What it knows beside the sums, for a checkpoint; false: it is not of such a measure.
  virtual std::vector<double> state() const { return {}; }
  virtual bool restore(const double* /*values*/, std::size_t count) { return count == 0; }
};

using MakeMeasured = std::unique_ptr<Measured> (*)(const RecorderContext&, const input::Measure&);
std::unique_ptr<Measured> makePairDistribution(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeStructureFactor(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeDisplacement(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeMoleculeDisplacement(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeVelocityCorrelation(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeViscosity(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeColumnCorrelation(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeColumns(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeChains(const RecorderContext& context, const input::Measure& measure);
std::unique_ptr<Measured> makeClusters(const RecorderContext& context, const input::Measure& measure);

// Quotient, or NaN of nothing.
inline double per(double sum, double count) { return count > 0.0 ? sum / count : notKnown; }
// Middles of equal bins.
inline std::vector<double> middles(double from, double to, int bins) {
  std::vector<double> at;
  for (int b = 0; b < bins; ++b) at.push_back(from + (b + 0.5) * (to - from) / bins);
  return at;
}

}  // namespace mesowarp
