// Measures of the table's columns: means and histograms, autocorrelation, and the viscosity by Green and Kubo.
#include <algorithm>
#include <cmath>

#include "input/measures/measure_share.hpp"
#include "input/method.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "run/measures/lag_results.hpp"
#include "run/measures/measured.hpp"
#include "run/measures/multiple_tau.hpp"
#include "run/recorders/thermo.hpp"
#include "step/windows.hpp"

namespace mesowarp {
namespace {

// What they are of.
class TableMeasure : public Measured {
public:
  TableMeasure(const RecorderContext& context, const input::Measure& measure, std::vector<std::string> columns)
      : measure_(measure), deck_(context.deck), columns_(std::move(columns)),
        means_(boundary::anyOfWalls(columns_) || anyOfInflows(columns_)), quantities_(context) {}
  Wanted needs() const override {
    Wanted wanted;
    wanted.thermo = true;
    return wanted;
  }
  // Means since the sample before: of the first one, too.
  Wanted needsBefore() const override { return means_ ? needs() : Wanted{}; }
  void before(Engine& engine) override { quantities_.window.quantities(engine); }
  std::vector<double> state() const override { return means_ ? quantities_.window.state() : std::vector<double>{}; }
  bool restore(const double* values, std::size_t count) override { return quantities_.window.restore(values, count); }

protected:
  std::vector<double> row(const Engine& engine) {
    const Quantities q = quantities_.of(engine);
    std::vector<double> values;
    for (const auto& column : columns_) values.push_back(q.at(column));
    return values;
  }

  input::Measure measure_;
  const input::Deck& deck_;
  std::vector<std::string> columns_;

private:
  bool means_;  // a column is a mean over steps
  TableQuantities quantities_;
};

// Sums: of each column the value, its square, and its histogram. Of means and deviations sub-blocks give the errors.
class Columns final : public TableMeasure {
public:
  Columns(const RecorderContext& context, const input::Measure& measure)
      : TableMeasure(context, measure, input::namedBy(context.deck, measure.columns)),
        bins_(measure.to > measure.from ? static_cast<std::size_t>(measure.bins) : 0) {}

  std::size_t width() const override { return columns_.size() * (2 + bins_); }
  void sample(i64, i64, Engine& engine, std::vector<double>& sums) override {
    const auto values = row(engine);
    double* of = sums.data();
    for (const double a : values) {
      of[0] += a, of[1] += a * a;
      const double at = (a - measure_.from) / (measure_.to - measure_.from) * static_cast<double>(bins_);
      if (bins_ > 0 && at >= 0.0 && at < static_cast<double>(bins_)) of[2 + static_cast<std::size_t>(at)] += 1.0;
      of += 2 + bins_;
    }
  }
  std::vector<MeasuredTable> tables() const override {
    MeasuredTable histogram{"", "value", middles(measure_.from, measure_.to, static_cast<int>(bins_)), columns_},
        means{"_means", "table", {0.0}, {}};
    for (auto& column : histogram.columns) column = "probability_" + column;
    for (const auto& column : columns_) means.columns.push_back(column + "_mean");
    for (const auto& column : columns_) means.columns.push_back(column + "_deviation");
    if (bins_ == 0) return {means};
    return {histogram, means};
  }
  std::vector<MeasuredValues> values(const SampleBlock& s, double) const override {
    MeasuredValues histogram, means{{s.samples}, std::vector<std::vector<double>>(2 * columns_.size())};
    histogram.count.assign(bins_, s.samples);
    const double* of = s.sums.data();
    for (std::size_t c = 0; c < columns_.size(); ++c, of += 2 + bins_) {
      const double mean = of[0] / s.samples;
      means.columns[c] = {mean};
      means.columns[columns_.size() + c] = {std::sqrt(std::max(of[1] / s.samples - mean * mean, 0.0))};
      histogram.columns.emplace_back();
      for (std::size_t b = 0; b < bins_; ++b)
        histogram.columns.back().push_back(of[2 + b] / s.samples * static_cast<double>(bins_) /
                                           (measure_.to - measure_.from));
    }
    if (bins_ == 0) return {means};
    return {histogram, means};
  }

private:
  std::size_t bins_;
};

// A correlator of some numbers of a step, and sums of some more.
class Correlation : public TableMeasure {
public:
  Correlation(const RecorderContext& context, const input::Measure& measure, std::vector<std::string> columns,
              std::size_t channels, std::size_t further)
      : TableMeasure(context, measure, std::move(columns)), correlator_(channels, measure.levels), channels_(channels),
        further_(further) {}
  std::size_t width() const override { return correlator_.width() + further_; }
  std::vector<double> state() const override {
    std::vector<double> all = correlator_.state();
    const auto window = TableMeasure::state();
    all.insert(all.end(), window.begin(), window.end());
    return all;
  }
  bool restore(const double* values, std::size_t count) override {
    const std::size_t own = correlator_.stateSize();
    return count >= own && correlator_.restore(values, own) && TableMeasure::restore(values + own, count - own);
  }

protected:
  std::vector<double> times() const {
    std::vector<double> all = correlator_.lags();
    for (double& t : all) t *= static_cast<double>(measure_.every) * deck_.run.timestep;
    return all;
  }
  double products(const SampleBlock& s, std::size_t lag) const { return s.sums[lag * (1 + channels_)]; }
  double product(const SampleBlock& s, std::size_t lag, std::size_t channel) const {
    return per(s.sums[lag * (1 + channels_) + 1 + channel], products(s, lag));
  }

  MultipleTau correlator_;
  std::size_t channels_, further_;
};

// C(t) = <a(0) a(t)> - <a>^2 of each column a. Beside it the mean, the variance C(0), and the integral of C(t) / C(0).
class ColumnCorrelation final : public Correlation {
public:
  ColumnCorrelation(const RecorderContext& context, const input::Measure& measure)
      : ColumnCorrelation(context, measure, input::namedBy(context.deck, measure.columns)) {}

  void sample(i64, i64, Engine& engine, std::vector<double>& sums) override {
    const auto values = row(engine);
    correlator_.add(values, sums.data());
    for (std::size_t c = 0; c < channels_; ++c) sums[correlator_.width() + c] += values[c];
  }
  std::vector<MeasuredTable> tables() const override {
    MeasuredTable function{"", "time", times(), columns_}, means{"_means", "table", {0.0}, {}};
    for (auto& column : function.columns) column = "correlation_" + column;
    for (const char* what : {"_mean", "_variance", "_time"})
      for (const auto& column : columns_) means.columns.push_back(column + what);
    return {function, means};
  }
  std::vector<MeasuredValues> values(const SampleBlock& s, double allSamples) const override {
    MeasuredValues function, means{{s.samples}, std::vector<std::vector<double>>(3 * channels_)};
    const auto t = times();
    for (std::size_t lag = 0; lag < t.size(); ++lag) function.count.push_back(products(s, lag));
    for (std::size_t c = 0; c < channels_; ++c) {
      const double mean = s.sums[correlator_.width() + c] / s.samples;
      std::vector<double> of;
      for (std::size_t lag = 0; lag < t.size(); ++lag) of.push_back(product(s, lag, c) - mean * mean);
      const double whole = valueAt(t, integral(t, of), lastLag(measure_, deck_.run.timestep, allSamples, t));
      means.columns[c] = {mean}, means.columns[channels_ + c] = {of[0]};
      means.columns[2 * channels_ + c] = {of[0] > 0.0 ? whole / of[0] : notKnown};
      function.columns.push_back(std::move(of));
    }
    return {function, means};
  }

private:
  ColumnCorrelation(const RecorderContext& context, const input::Measure& measure,
                    const std::vector<std::string>& columns)
      : Correlation(context, measure, columns, columns.size(), columns.size()) {}
};

// G(t) = V / kT <s(0) s(t)>, s the five independent shears of the pressure tensor (Daivis & Evans, J. Chem. Phys. 100,
// 541 (1994)):
//
//   <s s> = 1 / 5 (<xy xy> + <xz xz> + <yz yz> + 1 / 6 sum <(aa - bb) (aa - bb)>),   eta = integral of G(t)
//
// The pressure tensor has all pair forces of the step in it, dissipative and random ones as well, so what it sums up to
// over time is the momentum that has passed, and eta is that of Einstein and Helfand. The random forces' part is new in
// each step: by the trapezoids lag 0 counts with half a step, which is what an impulse at t = 0 comes to.
class Viscosity final : public Correlation {
public:
  Viscosity(const RecorderContext& context, const input::Measure& measure)
      : Correlation(context, measure,
                    {"pressure_xy", "pressure_xz", "pressure_yz", "pressure_xx", "pressure_yy", "pressure_zz",
                     "temperature", "pressure"},
                    6, 2),
        bursts_(input::burstsOf(measure)),
        volume_(context.deck.box.size[0] * context.deck.box.size[1] * context.deck.box.size[2]) {}

  bool takes(i64 number) const override { return bursts_.takes(number); }
  void sample(i64 number, i64, Engine& engine, std::vector<double>& sums) override {
    if (bursts_.begins(number)) correlator_.forget();
    const auto p = row(engine);
    correlator_.add({p[0], p[1], p[2], p[3] - p[4], p[4] - p[5], p[5] - p[3]}, sums.data());
    sums[correlator_.width()] += p[6], sums[correlator_.width() + 1] += p[7];
  }
  std::vector<MeasuredTable> tables() const override {
    return {
        {"", "time", times(), {"modulus", "viscosity"}},
        {"_means", "table", {0.0}, {"viscosity", "infinite_frequency_modulus", "mean_temperature", "mean_pressure"}}};
  }
  std::vector<MeasuredValues> values(const SampleBlock& s, double allSamples) const override {
    MeasuredValues function{{}, {{}, {}}};
    const auto t = times();
    const double temperature = s.sums[correlator_.width()] / s.samples;
    for (std::size_t lag = 0; lag < t.size(); ++lag) {
      double all = 0.0;
      for (std::size_t c = 0; c < 6; ++c) all += product(s, lag, c) / (c < 3 ? 5.0 : 30.0);
      function.count.push_back(products(s, lag));
      function.columns[0].push_back(all * volume_ / temperature);
    }
    function.columns[1] = integral(t, function.columns[0]);
    const double eta = valueAt(t, function.columns[1], lastLag(measure_, deck_.run.timestep, allSamples, t));
    return {
        function,
        {{s.samples}, {{eta}, {function.columns[0][0]}, {temperature}, {s.sums[correlator_.width() + 1] / s.samples}}}};
  }

private:
  input::Bursts bursts_;
  double volume_;
};

}  // namespace

std::unique_ptr<Measured> makeColumns(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<Columns>(context, measure);
}
std::unique_ptr<Measured> makeColumnCorrelation(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<ColumnCorrelation>(context, measure);
}
std::unique_ptr<Measured> makeViscosity(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<Viscosity>(context, measure);
}

}  // namespace mesowarp
