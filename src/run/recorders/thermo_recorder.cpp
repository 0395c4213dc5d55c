#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "input/method.hpp"
#include "io/files/earlier_output.hpp"
#include "io/ranks.hpp"
#include "io/text/table.hpp"
#include "io/text/table_reader.hpp"
#include "physics/integrate/elapsed_time.hpp"
#include "run/recorders/recorder.hpp"
#include "run/recorders/thermo.hpp"
#include "run/recorders/thermo_display.hpp"
#include "step/windows.hpp"

namespace mesowarp {
namespace {

class ThermoRecorder final : public Recorder {
public:
  ThermoRecorder(const RecorderContext& context, const input::Output& output)
      : deck_(context.deck), context_(context), path_(context.directory + "/" + fileName), every_(output.every),
        atEnd_(output.at_end), columns_(input::namedBy(context.deck, output.columns)), display_(columns_),
        quantities_(context) {}

  void check() override {
    io::onRoot(context_.ranks, [&] {
      const auto mark = context_.marks.find(fileName);
      earlier_ = io::EarlierOutput(path_, context_.resumedFrom, mark == context_.marks.end() ? nullptr : &mark->second,
                                   io::EarlierOutput::Growth::appended);
      if (earlier_.state() != State::absent) io::TableWriter::requireColumns(path_, columns_);
    });
  }

  void open() override {
    io::onRoot(context_.ranks, [&] {
      openTable();
      for (const auto& column : columns_)
        if (!isBookkeeping(column)) rows_.push_back({column, {}});
      if (context_.resumedFrom >= 0) readRows(path_);
    });
    last_ = io::fromRoot(context_.ranks, table_ ? table_->lastStep() : -1);
  }

  void mark(i64, io::FileMarks& marks) override {
    io::onRoot(context_.ranks, [&] { marks[fileName] = table_->mark(); });
  }

  void finish() override {
    io::onRoot(context_.ranks, [&] { table_->mark(); });
  }

  // What its means begin with.
  void save(std::vector<io::ArrayView>& arrays, std::vector<std::vector<std::byte>>& storage) const override {
    const std::vector<double> values = quantities_.window.state();
    if (values.empty()) return;
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    storage.emplace_back(bytes, bytes + values.size() * sizeof(double));
    arrays.push_back({windowName, io::ElementType::f64, values.size(), 1, storage.back().data()});
  }
  void restore(const io::CheckpointContent& content) override {
    const auto it = content.arrays.find(windowName);
    if (it == content.arrays.end()) return;
    std::vector<double> values(it->second.data.size() / sizeof(double));
    std::memcpy(values.data(), it->second.data.data(), values.size() * sizeof(double));
    if (it->second.type != io::ElementType::f64 || !quantities_.window.restore(values.data(), values.size()))
      throw InputError(fmt::format("the checkpoint's array {} is not one of sums since a table's row", windowName));
  }

  Wanted wants(i64 step, bool last) const override {
    Wanted wanted;
    wanted.thermo = (every_ > 0 && step % every_ == 0) || (last && atEnd_);
    return wanted;
  }

  void record(i64 step, Engine& engine, const RunClock& clock) override {
    if (step <= last_) return;
    Quantities q = quantities_.of(engine);
    q["time"] = timeOf(deck_, step);
    q["wall_time"] = clock.seconds;
    q["particle_steps_per_second"] = clock.particleStepsPerSecond;
    q["rebuilds"] = static_cast<double>(engine.counters().rebuilds);
    last_ = step;
    io::onRoot(context_.ranks, [&] { table_->append(step, q); });
    for (auto& [column, values] : rows_) values.push_back(q.at(column));
    display_.print(step, q);
  }

  TableAverages averages() const { return tableAverages(rows_, deck_); }

private:
  using State = io::EarlierOutput::State;
  static constexpr const char *fileName = "thermo.csv", *windowName = "table_window";

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

  // What the table held before the resume.
  void readRows(const std::string& path) {
    const io::Table table = io::readTable(path);
    for (auto& [column, values] : rows_)
      if (const auto it = table.columns.find(column); it != table.columns.end()) values = it->second;
  }

  const input::Deck& deck_;
  RecorderContext context_;
  std::string path_;
  io::EarlierOutput earlier_;
  i64 every_;
  bool atEnd_;
  std::vector<std::string> columns_;
  ThermoDisplay display_;
  TableQuantities quantities_;
  std::optional<io::TableWriter> table_;                           // of the root
  i64 last_ = -1;                                                  // step recorded
  std::vector<std::pair<std::string, std::vector<double>>> rows_;  // of the table, what can be averaged; of the root
};

}  // namespace

std::unique_ptr<Recorder> makeThermoRecorder(const RecorderContext& context, const input::Output& output) {
  return std::make_unique<ThermoRecorder>(context, output);
}

TableAverages averagesOf(const Recorder& thermo) { return dynamic_cast<const ThermoRecorder&>(thermo).averages(); }

}  // namespace mesowarp
