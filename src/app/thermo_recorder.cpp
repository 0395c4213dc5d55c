#include <algorithm>
#include <optional>

#include "app/recorder.hpp"
#include "app/thermo.hpp"
#include "app/thermo_display.hpp"
#include "io/earlier_output.hpp"
#include "io/ranks.hpp"
#include "io/table.hpp"

namespace mesowarp {
namespace {

class ThermoRecorder final : public Recorder {
 public:
  ThermoRecorder(const RecorderContext& context, const input::Output& output)
      : deck_(context.deck), context_(context), path_(context.directory + "/" + fileName), every_(output.every),
        atEnd_(output.at_end), columns_(output.columns), display_(output.columns) {}

  void check() override {
    io::onRoot(context_.ranks, [&] {
      const auto mark = context_.marks.find(fileName);
      earlier_ = io::EarlierOutput(path_, context_.resumedFrom, mark == context_.marks.end() ? nullptr : &mark->second,
                                   io::EarlierOutput::Growth::appended);
      if (earlier_.state() != State::absent) io::TableWriter::requireColumns(path_, columns_);
    });
  }

  void open() override {
    io::onRoot(context_.ranks, [&] { openTable(); });
    last_ = io::fromRoot(context_.ranks, table_ ? table_->lastStep() : -1);
  }

  void mark(i64, io::FileMarks& marks) override {
    io::onRoot(context_.ranks, [&] { marks[fileName] = table_->mark(); });
  }

  void finish() override {
    io::onRoot(context_.ranks, [&] { table_->mark(); });
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
    io::onRoot(context_.ranks, [&] { table_->append(step, q); });
    temperature_.push_back(q["temperature"]);
    if (q.count("pressure")) pressure_.push_back(q["pressure"]);
    display_.print(step, q);
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
  using State = io::EarlierOutput::State;
  static constexpr const char* fileName = "thermo.csv";

  void openTable() {
    if (context_.resumedFrom < 0) {
      table_.emplace(path_, columns_);
    } else if (earlier_.state() == State::absent) {
      tellOfNewFile(context_, fileName);
      earlier_.giveUp();
      table_.emplace(path_, columns_);
    } else if (earlier_.state() == State::exact) {
      earlier_.rollBack();
      table_ = io::TableWriter::reopen(path_, columns_);
    } else {
      table_ = io::TableWriter::resume(path_, columns_, context_.resumedFrom);
    }
  }

  // Over the second half.
  static std::pair<double, double> halfAverage(const std::vector<double>& all) {
    return blockAverage({all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end()});
  }

  const input::Deck& deck_;
  RecorderContext context_;
  std::string path_;
  io::EarlierOutput earlier_;
  i64 every_;
  bool atEnd_;
  std::vector<std::string> columns_;
  ThermoDisplay display_;
  std::optional<io::TableWriter> table_;  // of the root
  i64 last_ = -1;                         // step recorded
  std::vector<double> temperature_, pressure_;
};

}  // namespace

std::unique_ptr<Recorder> makeThermoRecorder(const RecorderContext& context, const input::Output& output) {
  return std::make_unique<ThermoRecorder>(context, output);
}

ThermoAverages averagesOf(const Recorder& thermo) { return dynamic_cast<const ThermoRecorder&>(thermo).averages(); }

}  // namespace mesowarp
