#include <algorithm>
#include <optional>
#include <utility>

#include "app/recorder.hpp"
#include "app/thermo.hpp"
#include "app/thermo_display.hpp"
#include "io/table.hpp"
#include "io/table_reader.hpp"

namespace mesowarp {
namespace {

class ThermoRecorder final : public Recorder {
 public:
  ThermoRecorder(const RecorderContext& context, const input::Output& output)
      : deck_(context.deck), every_(output.every), atEnd_(output.at_end), columns_(output.columns),
        display_(output.columns) {
    const std::string path = context.directory + "/thermo.csv";
    const auto open = [&] {
      table_ = context.resumedFrom >= 0 ? io::TableWriter::resume(path, columns_, context.resumedFrom)
                                        : io::TableWriter(path, columns_);
      last_ = table_->lastStep();
      for (const auto& column : columns_)
        if (!isBookkeeping(column)) rows_.push_back({column, {}});
      if (context.resumedFrom >= 0) readRows(path);
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
    if (table_) table_->append(step, q);
    for (auto& [column, values] : rows_) values.push_back(q.at(column));
    display_.print(step, q);
  }

  TableAverages averages() const { return tableAverages(rows_, deck_); }

 private:
  // What the table held before the resume.
  void readRows(const std::string& path) {
    const io::Table table = io::readTable(path);
    for (auto& [column, values] : rows_)
      if (const auto it = table.columns.find(column); it != table.columns.end()) values = it->second;
  }

  const input::Deck& deck_;
  i64 every_;
  bool atEnd_;
  std::vector<std::string> columns_;
  ThermoDisplay display_;
  std::optional<io::TableWriter> table_;  // of the root
  i64 last_ = -1;                         // step recorded
  std::vector<std::pair<std::string, std::vector<double>>> rows_;  // of the table, what can be averaged; of the root
};

}  // namespace

std::unique_ptr<Recorder> makeThermoRecorder(const RecorderContext& context, const input::Output& output) {
  return std::make_unique<ThermoRecorder>(context, output);
}

TableAverages averagesOf(const Recorder& thermo) { return dynamic_cast<const ThermoRecorder&>(thermo).averages(); }

}  // namespace mesowarp
