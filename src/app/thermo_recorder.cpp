#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/recorder.hpp"
#include "io/table.hpp"

namespace mesowarp {
namespace {

using Quantities = std::map<std::string, double>;

// Components of the total momentum that no wall changes: a specular wall changes its normal component, a bounce-back
// wall all of them. Each takes one degree of freedom.
int conservedMomenta(const input::Deck& deck) {
  int conserved = 0;
  for (int axis = 0; axis < 3; ++axis) {
    conserved += deck.box.periodic[axis] ? 1 : 0;
    for (const auto style : deck.faces[axis])
      if (style == input::FaceStyle::bounce_back) return 0;
  }
  return conserved;
}

// Every column that the deck's grammar knows (input/schema_world.cpp) is here or in ThermoRecorder::record; a test asks
// for all of them. T = sum m v^2 / degrees of freedom, P = (sum m v v + virial) / V, per component and averaged.
Quantities thermoQuantities(const ThermoSums& s, const input::Deck& deck, int particles) {
  const auto& size = deck.box.size;
  const double volume = size[0] * size[1] * size[2];
  const double freedom = 3.0 * particles - (particles > 1 ? conservedMomenta(deck) : 0);
  Quantities q;
  const double kinetic = s.kinetic[0] + s.kinetic[1] + s.kinetic[2];
  q["temperature"] = kinetic / freedom;
  q["kinetic_energy"] = 0.5 * kinetic;
  q["potential_energy"] = s.potential;
  q["total_energy"] = 0.5 * kinetic + s.potential;
  static const char* components[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  for (int c = 0; c < 6; ++c) q[std::string("pressure_") + components[c]] = (s.kinetic[c] + s.virial[c]) / volume;
  q["pressure"] = (q["pressure_xx"] + q["pressure_yy"] + q["pressure_zz"]) / 3.0;
  for (int c = 0; c < 3; ++c) q[std::string("momentum_") + "xyz"[c]] = s.momentum[c];
  return q;
}

class ThermoRecorder final : public Recorder {
 public:
  ThermoRecorder(const RecorderContext& context, const input::Output& output)
      : deck_(context.deck), every_(output.every), atEnd_(output.at_end), columns_(output.columns) {
    const std::string path = context.directory + "/thermo.csv";
    table_ = context.resumedFrom >= 0 ? io::TableWriter::resume(path, columns_, context.resumedFrom)
                                      : io::TableWriter(path, columns_);
  }

  Wanted wants(i64 step, bool last) const override {
    Wanted wanted;
    wanted.thermo = (every_ > 0 && step % every_ == 0) || (last && atEnd_);
    return wanted;
  }

  void record(i64 step, Engine& engine, const RunClock& clock) override {
    if (step <= table_->lastStep()) return;
    Quantities q = thermoQuantities(engine.sums(), deck_, engine.particles());
    q["time"] = static_cast<double>(step) * deck_.run.timestep;
    q["wall_time"] = clock.seconds;
    q["particle_steps_per_second"] = clock.particleStepsPerSecond;
    q["rebuilds"] = static_cast<double>(engine.counters().rebuilds);
    table_->append(step, q);
    temperature_.push_back(q["temperature"]);
    pressure_.push_back(q["pressure"]);
    print(step, q);
  }

  ThermoAverages averages() const {
    ThermoAverages a;
    a.rows = temperature_.size() - temperature_.size() / 2;
    std::tie(a.temperature, a.temperatureError) = blockAverage(temperature_);
    std::tie(a.pressure, a.pressureError) = blockAverage(pressure_);
    return a;
  }

 private:
  void print(i64 step, const Quantities& q) {
    if (rowsPrinted_++ % 20 == 0) {
      std::string header = fmt::format("{:>10}", "step");
      for (const auto& column : columns_) header += fmt::format(" {:>{}}", column, width(column));
      spdlog::info(header);
    }
    std::string row = fmt::format("{:>10}", step);
    for (const auto& column : columns_) row += fmt::format(" {:>{}.6g}", q.at(column), width(column));
    spdlog::info(row);
  }
  static std::size_t width(const std::string& column) { return std::max<std::size_t>(11, column.size()); }

  // Mean over the second half and its standard error from ten blocks.
  static std::pair<double, double> blockAverage(const std::vector<double>& all) {
    const std::vector<double> values(all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    if (values.empty()) return {0.0, 0.0};
    const std::size_t blocks = std::min<std::size_t>(10, values.size());
    std::vector<double> means(blocks, 0.0);
    double mean = 0.0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t first = b * values.size() / blocks, last = (b + 1) * values.size() / blocks;
      for (std::size_t k = first; k < last; ++k) means[b] += values[k] / static_cast<double>(last - first);
      mean += means[b] / static_cast<double>(blocks);
    }
    double spread = 0.0;
    for (const double m : means) spread += (m - mean) * (m - mean);
    const double n = static_cast<double>(blocks);
    return {mean, blocks > 1 ? std::sqrt(spread / (n * (n - 1.0))) : 0.0};
  }

  const input::Deck& deck_;
  i64 every_;
  bool atEnd_;
  std::vector<std::string> columns_;
  std::optional<io::TableWriter> table_;
  std::vector<double> temperature_, pressure_;
  std::size_t rowsPrinted_ = 0;
};

}  // namespace

std::unique_ptr<Recorder> makeThermoRecorder(const RecorderContext& context, const input::Output& output) {
  return std::make_unique<ThermoRecorder>(context, output);
}

ThermoAverages averagesOf(const Recorder& thermo) { return dynamic_cast<const ThermoRecorder&>(thermo).averages(); }

}  // namespace mesowarp
