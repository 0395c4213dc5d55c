#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>

#include "app/recorder.hpp"
#include "app/thermo.hpp"
#include "io/ranks.hpp"
#include "io/table.hpp"

namespace mesowarp {
namespace {

class ThermoRecorder final : public Recorder {
 public:
  ThermoRecorder(const RecorderContext& context, const input::Output& output)
      : deck_(context.deck), ranks_(context.ranks), every_(output.every), atEnd_(output.at_end), columns_(output.columns) {
    const std::string path = context.directory + "/thermo.csv";
    const auto open = [&] {
      table_ = context.resumedFrom >= 0 ? io::TableWriter::resume(path, columns_, context.resumedFrom)
                                        : io::TableWriter(path, columns_);
      last_ = table_->lastStep();
    };
    if (context.ranks) {
      context.ranks->onRoot(open);
      last_ = context.ranks->largest(last_);
    } else {
      open();
    }
  }

  Wanted wants(i64 step, bool last) const override {
    Wanted wanted;
    wanted.thermo = (every_ > 0 && step % every_ == 0) || (last && atEnd_);
    return wanted;
  }

  void record(i64 step, Engine& engine, const RunClock& clock) override {
    if (step <= last_) return;
    Quantities q = thermoQuantities(engine.sums(), deck_, engine.particles());
    q.merge(engine.quantities());
    q["time"] = static_cast<double>(step) * deck_.run.timestep;
    q["wall_time"] = clock.seconds;
    q["particle_steps_per_second"] = clock.particleStepsPerSecond;
    q["rebuilds"] = static_cast<double>(engine.counters().rebuilds);
    last_ = step;
    io::onRoot(ranks_, [&] { table_->append(step, q); });
    temperature_.push_back(q["temperature"]);
    if (q.count("pressure")) pressure_.push_back(q["pressure"]);
    print(step, q);
  }

  ThermoAverages averages() const {
    ThermoAverages a;
    a.rows = temperature_.size() - temperature_.size() / 2;
    std::tie(a.temperature, a.temperatureError) = halfAverage(temperature_);
    std::tie(a.pressure, a.pressureError) = halfAverage(pressure_);
    a.hasPressure = !pressure_.empty();
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

  // Over the second half.
  static std::pair<double, double> halfAverage(const std::vector<double>& all) {
    return blockAverage({all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end()});
  }

  const input::Deck& deck_;
  io::Ranks ranks_;
  i64 every_;
  bool atEnd_;
  std::vector<std::string> columns_;
  std::optional<io::TableWriter> table_;  // of the root
  i64 last_ = -1;                         // step recorded
  std::vector<double> temperature_, pressure_;
  std::size_t rowsPrinted_ = 0;
};

}  // namespace

std::unique_ptr<Recorder> makeThermoRecorder(const RecorderContext& context, const input::Output& output) {
  return std::make_unique<ThermoRecorder>(context, output);
}

ThermoAverages averagesOf(const Recorder& thermo) { return dynamic_cast<const ThermoRecorder&>(thermo).averages(); }

}  // namespace mesowarp
