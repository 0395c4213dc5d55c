// Mean squared displacement and velocity autocorrelation of particles. Displacements are of unwrapped coordinates; if
// drift is taken off, relative to the centre of mass of all that are measured, D = sum m d / sum m:
//
//   msd = 1 / N sum (d - D)^2 = 1 / N (sum d^2 - 2 D sum d + N D^2)
//
// In a box that changes d is that of displacement.hpp, and velocities are those relative to the flow of the box.
//
// Diffusion: a sixth of the slope of msd, or the integral of the velocity autocorrelation <v(0) v(t)> / 3.
#include "run/measures/displacement.hpp"

#include <algorithm>
#include <cmath>

#include "input/measures/measure_share.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/observables/measured_fields.hpp"
#include "physics/observables/origins.hpp"
#include "run/measures/chosen.hpp"
#include "run/measures/group_marks.hpp"

namespace mesowarp {
namespace {

// The particles' side of both.
class CarriedOrigins {
public:
  CarriedOrigins(const RecorderContext& context, const input::Measure& measure)
      : field_(observables::fieldName(measure)), levels_(measure.levels), names_(measure.of_species),
        species_(context.deck.species),
        temperature_(largestEver(context.deck, "run.temperature", context.deck.run.temperature)),
        marks_(context.deck, names_, {}) {}

  // Of this step's particles.
  observables::Origins look(Engine& engine, observables::Seen seen) {
    Population& population = measuredPopulation(engine);
    box_ = *observables::measuredBox(population);
    observables::see(population, seen, particles);
    marks_.mark(population, seen, particles);
    if (sets_.extent(0) == 0) choose(population);
    return origins(engine);
  }
  // Before origins are stored that many samples will ask for.
  observables::Origins settle(Engine& engine) {
    observables::settleMeasuredFields(measuredPopulation(engine));
    return origins(engine);
  }
  const observables::MeasuredBox& box() const { return box_; }
  const Chosen& chosen() const { return chosen_; }

  observables::MeasuredParticles particles;

private:
  observables::Origins origins(Engine& engine) const {
    return {observables::measuredField(measuredPopulation(engine), field_), levels_, sets_, mass_, fast_};
  }
  void choose(Population& population) {
    observables::MeasuredParticles all;
    observables::see(population, observables::Seen::unwrapped, all);
    marks_.mark(population, observables::Seen::unwrapped, all);
    std::vector<bool> in = named(species_, names_.empty() ? std::vector<std::string>{"*"} : names_);
    if (names_.empty())
      for (std::size_t s = 0; s < in.size(); ++s) in[s] = s >= box_.frozen.size() || !box_.frozen[s];
    in = marks_.sets(in, 1);
    const std::vector<double> masses = marks_.masses(box_.masses);
    sets_ = observables::speciesSets(in, in);
    mass_ = observables::massesOnDevice(masses);
    fast_ = 0.0;  // 32 of a component's standard deviations
    for (const double m : masses)
      if (m > 0.0) fast_ = std::max(fast_, 32.0 * std::sqrt(temperature_ / m));
    chosen_ = chosenOf(all, box_, in, masses);
  }

  std::string field_;
  int levels_;
  std::vector<std::string> names_, species_;
  double temperature_, fast_ = 0.0;
  GroupMarks marks_;
  observables::MeasuredBox box_;
  DeviceArray<u32> sets_;
  DeviceArray<double> mass_;
  Chosen chosen_;
};

// Calls compare(due) of all levels, then stores what is due, and tells stored(level).
template <class Compare, class Stored>
void goThrough(const LagLevels& levels, i64 number, CarriedOrigins& carried, Engine& engine, bool velocities,
               const Compare& compare, const Stored& stored) {
  const auto all = levels.due(number);
  for (const auto& due : all)
    if (due.lag >= 0) compare(due);
  if (!all.front().store) return;  // nor does any other level
  const auto origins = carried.settle(engine);
  for (const auto& due : all) {
    if (!due.store) continue;
    observables::storeOrigins(origins, carried.particles, due.level, velocities);
    stored(due.level);
  }
}
// The same of a sample that was added before: particles lack what it stored.
void storeAgain(const LagLevels& levels, i64 number, CarriedOrigins& carried, Engine& engine, bool velocities) {
  const auto origins = carried.look(engine, velocities ? observables::Seen::velocities : observables::Seen::unwrapped);
  for (const auto& due : levels.due(number))
    if (due.store) observables::storeOrigins(origins, carried.particles, due.level, velocities);
}

class Displacement final : public DisplacementSums {
public:
  Displacement(const RecorderContext& context, const input::Measure& measure)
      : DisplacementSums(context, measure), carried_(context, measure) {}

  void sample(i64 number, i64, Engine& engine, std::vector<double>& sums) override {
    const auto origins = carried_.look(engine, observables::Seen::unwrapped);
    const auto edges = carried_.box().box.size;
    const auto compare = [&](const LagLevels::Due& due) {
      const auto moved = observables::movedSince(origins, carried_.particles, carried_.box(), due.level);
      const auto by = scale(due.level, edges);
      const double n = carried_.chosen().count;
      std::array<double, 3> squared{};
      for (std::size_t a = 0; a < 3; ++a) {
        const double drift = measure_.keep_drift ? 0.0 : per(moved.weighted[a], carried_.chosen().mass);
        squared[a] = per(moved.squared[a] - 2.0 * drift * moved.moved[a] + n * drift * drift, n) * (by[a] * by[a]);
      }
      if (n > 0.0) add(sums, due.lag, squared);
    };
    goThrough(levels_, number, carried_, engine, false, compare, [&](int level) { stored(level, number, edges); });
  }
  void replay(i64 number, Engine& engine) override { storeAgain(levels_, number, carried_, engine, false); }
  std::vector<double> state() const override {
    std::vector<double> all = levels_.state();
    addEdges(all);
    return all;
  }
  bool restore(const double* values, std::size_t count) override {
    const auto levels = static_cast<std::size_t>(levels_.levels());
    return count >= levels && levels_.restore(values, levels) && restoreEdges(values + levels, count - levels);
  }

private:
  CarriedOrigins carried_;
};

class VelocityCorrelation final : public Measured {
public:
  VelocityCorrelation(const RecorderContext& context, const input::Measure& measure)
      : measure_(measure), timestep_(context.deck.run.timestep), levels_(measure.levels), carried_(context, measure),
        wholeRows_(input::wholeRowsOf(measure)) {}

  // Of a row that is not whole those that more than the first level needs.
  bool takes(i64 number) const override {
    return number / LagLevels::each % wholeRows_ == 0 || number % LagLevels::factor == 0;
  }
  Wanted needs() const override {
    Wanted wanted;
    wanted.snapshot = wanted.velocities = true;
    return wanted;
  }
  std::size_t width() const override { return 2 * levels_.count(); }  // of each lag: origins, mean of v v

  void sample(i64 number, i64, Engine& engine, std::vector<double>& sums) override {
    const auto origins = carried_.look(engine, observables::Seen::velocities);
    const auto put = [&](std::ptrdiff_t lag, const observables::VelocitySums& v) {
      if (!(carried_.chosen().count > 0.0)) return;
      sums[2 * static_cast<std::size_t>(lag)] += 1.0;
      sums[2 * static_cast<std::size_t>(lag) + 1] +=
          (v.product[0] + v.product[1] + v.product[2]) / carried_.chosen().count;
    };
    if (number % LagLevels::each == 0) put(0, observables::correlatedNow(origins, carried_.particles, carried_.box()));
    const auto compare = [&](const LagLevels::Due& due) {
      put(due.lag, observables::correlatedWith(origins, carried_.particles, carried_.box(), due.level));
    };
    goThrough(levels_, number, carried_, engine, true, compare, [&](int level) { levels_.stored(level, number); });
  }
  void replay(i64 number, Engine& engine) override { storeAgain(levels_, number, carried_, engine, true); }
  std::vector<double> state() const override { return levels_.state(); }
  bool restore(const double* values, std::size_t count) override { return levels_.restore(values, count); }

  std::vector<MeasuredTable> tables() const override {
    return {{"", "time", times(), {"vacf", "diffusion"}}, {"_means", "table", {0.0}, {"diffusion"}}};
  }
  std::vector<MeasuredValues> values(const SampleBlock& s, double allSamples) const override {
    MeasuredValues v{{}, {{}, {}}};
    for (std::size_t lag = 0; lag < levels_.count(); ++lag) {
      v.count.push_back(s.sums[2 * lag]);
      v.columns[0].push_back(per(s.sums[2 * lag + 1], s.sums[2 * lag]) / 3.0);
    }
    const auto t = times();
    v.columns[1] = integral(t, v.columns[0]);
    return {v, {{s.samples}, {{valueAt(t, v.columns[1], lastLag(measure_, timestep_, allSamples, t))}}}};
  }

private:
  std::vector<double> times() const {
    std::vector<double> all = levels_.lags();
    for (double& t : all) t *= static_cast<double>(measure_.every) * timestep_;
    return all;
  }

  input::Measure measure_;
  double timestep_;
  LagLevels levels_;
  CarriedOrigins carried_;
  i64 wholeRows_;
};

}  // namespace

std::unique_ptr<Measured> makeDisplacement(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<Displacement>(context, measure);
}
std::unique_ptr<Measured> makeVelocityCorrelation(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<VelocityCorrelation>(context, measure);
}

}  // namespace mesowarp
