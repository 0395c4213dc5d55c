// The recorder of all measures that are not of places in the box.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <spdlog/spdlog.h>

#include "core/error.hpp"
#include "input/measures/measure_files.hpp"
#include "io/ranks.hpp"
#include "io/text/profile_writer.hpp"
#include "run/measures/measured.hpp"
#include "run/recorders/table_averages.hpp"

namespace mesowarp {
namespace {

std::unique_ptr<Measured> makeMeasured(const RecorderContext& context, const input::Measure& measure) {
  using Style = input::MeasureStyle;
  switch (measure.style) {
  case Style::rdf:
    return makePairDistribution(context, measure);
  case Style::structure_factor:
    return makeStructureFactor(context, measure);
  case Style::msd:
    return measure.molecules ? makeMoleculeDisplacement(context, measure) : makeDisplacement(context, measure);
  case Style::vacf:
    return makeVelocityCorrelation(context, measure);
  case Style::viscosity:
    return makeViscosity(context, measure);
  case Style::correlation:
    return makeColumnCorrelation(context, measure);
  case Style::chains:
    return makeChains(context, measure);
  case Style::clusters:
    return makeClusters(context, measure);
  case Style::columns:
    return makeColumns(context, measure);
  default:
    throw std::logic_error("a measure of places");
  }
}

// All values of all tables, one after the other.
std::vector<double> flat(const std::vector<MeasuredValues>& all) {
  std::vector<double> numbers;
  for (const auto& table : all)
    for (const auto& column : table.columns) numbers.insert(numbers.end(), column.begin(), column.end());
  return numbers;
}

class MeasureRecorder final : public Recorder {
public:
  MeasureRecorder(const RecorderContext& context, const input::Measure& measure)
      : context_(context), measure_(measure), measured_(makeMeasured(context, measure)), tables_(measured_->tables()),
        sums_(measured_->width()) {}

  void check() override {
    io::onRoot(context_.ranks, [&] {
      for (const auto& table : tables_)
        earlier_.push_back(io::ProfileWriter::look(context_.directory, nameOf(table), layoutOf(table),
                                                   table.coordinate.size(), context_.resumedFrom, context_.marks));
    });
  }

  void open() override {
    io::onRoot(context_.ranks, [&] {
      if (context_.resumedFrom >= 0) return continueFiles();
      for (const auto& table : tables_)
        writers_.push_back(io::ProfileWriter(context_.directory, nameOf(table), layoutOf(table)));
    });
  }

  void mark(i64 step, io::FileMarks& marks) override {
    io::onRoot(context_.ranks, [&] {
      for (auto& writer : writers_) writer.mark(step, marks);
    });
  }

  Wanted wants(i64 step, bool) const override {
    if (step == measure_.start - measure_.every) return measured_->needsBefore();
    return isDue(step) ? measured_->needs() : Wanted{};
  }

  void record(i64 step, Engine& engine, const RunClock&) override {
    if (step <= last_) return;
    if (step < measure_.start) return measured_->before(engine);
    if (!sums_.empty() && blockOf(step) != blockOf(first_)) write();
    if (sums_.empty()) first_ = step;
    measured_->sample(numberOf(step), step, engine, sums_.nextSample());
    last_ = step;
  }

  void replay(i64 step, Engine& engine) override {
    if (step >= measure_.start && step <= last_) measured_->replay(numberOf(step), engine);
  }

  // A block of one sample is none: it waits in the checkpoint.
  void finish() override {
    if (sums_.samples() > 1) write();
    io::onRoot(context_.ranks, [&] {
      for (auto& writer : writers_) writer.flush();
      if (!said_.empty()) spdlog::info("{}: {}", measure_.name, said_);
    });
  }

  void save(std::vector<io::ArrayView>& arrays, std::vector<std::vector<std::byte>>& storage) const override {
    const std::vector<double> state = measured_->state(), sums = sums_.numbers();
    std::vector<double> values{static_cast<double>(first_), static_cast<double>(last_),
                               static_cast<double>(state.size())};
    values.insert(values.end(), state.begin(), state.end());
    values.insert(values.end(), sums.begin(), sums.end());
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    storage.emplace_back(bytes, bytes + values.size() * sizeof(double));
    arrays.push_back({arrayName(), io::ElementType::f64, values.size(), 1, storage.back().data()});
  }

  void restore(const io::CheckpointContent& content) override {
    const auto it = content.arrays.find(arrayName());
    isNew_ = it == content.arrays.end();
    if (isNew_) return;
    std::vector<double> values(it->second.data.size() / sizeof(double));
    std::memcpy(values.data(), it->second.data.data(), values.size() * sizeof(double));
    if (it->second.type != io::ElementType::f64 || !takeOver(values, content.numbers.at("step")))
      throw InputError(fmt::format("the checkpoint's sums of [[measure]] '{}' are not those of the deck's (other bins, "
                                   "levels, species or intervals): give it another name, and it begins anew",
                                   measure_.name));
  }

private:
  bool takeOver(const std::vector<double>& values, i64 step) {
    if (values.size() < 4 || !(values[0] >= 0.0 && values[0] <= static_cast<double>(step)) ||
        !(values[1] >= -1.0 && values[1] <= static_cast<double>(step)))
      return false;
    const auto states = values[2] >= 0.0 ? static_cast<std::size_t>(values[2]) : values.size();
    if (states > values.size() - 3) return false;
    for (std::size_t k = 3 + states; k < values.size(); ++k)
      if (!std::isfinite(values[k])) return false;
    first_ = static_cast<i64>(values[0]), last_ = static_cast<i64>(values[1]);
    return measured_->restore(values.data() + 3, states) &&
           sums_.restore(values.data() + 3 + states, values.size() - 3 - states);
  }

  // Blocks before the unfinished one are complete; a partial copy of it, written when the earlier run ended, goes.
  void continueFiles() {
    if (isNew_)
      spdlog::warn("the checkpoint has no sums of [[measure]] '{}': it begins behind step {}", measure_.name,
                   context_.resumedFrom);
    const i64 lastStep = isNew_ ? context_.resumedFrom : sums_.empty() ? last_ : first_ - 1;
    for (std::size_t k = 0; k < tables_.size(); ++k) {
      const std::string name = nameOf(tables_[k]);
      const auto& [csv, hdf5] = earlier_[k];
      if (!isNew_ && csv.state() == io::EarlierOutput::State::absent) tellOfNewFile(context_, name + ".csv");
      if (!isNew_ && hdf5.state() == io::EarlierOutput::State::absent) tellOfNewFile(context_, name + ".h5");
      writers_.push_back(
          io::ProfileWriter::resume(context_.directory, name, layoutOf(tables_[k]), lastStep, earlier_[k]));
    }
  }

  void write() {
    if (sums_.samples() > 1) {
      const double all = static_cast<double>(sums_.samples());
      const auto values = measured_->values(sums_.total(), all);
      const auto errors = jackknifeErrors(sums_, [&](const SampleBlock& s) { return flat(measured_->values(s, all)); });
      if (!writers_.empty()) append(values, errors);
    }
    sums_.clear();
  }

  void append(const std::vector<MeasuredValues>& values, const std::vector<double>& errors) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < tables_.size(); ++k) {
      io::ProfileBlock block;
      block.firstStep = first_, block.lastStep = last_, block.samples = sums_.samples();
      block.coordinate = tables_[k].coordinate, block.count = values[k].count, block.further = values[k].columns;
      for (const auto& column : values[k].columns) {
        const auto from = errors.begin() + static_cast<std::ptrdiff_t>(at);
        block.furtherError.emplace_back(from, from + static_cast<std::ptrdiff_t>(column.size()));
        at += column.size();
      }
      if (tables_[k].suffix == "_means") sayMeans(tables_[k], block);
      writers_[k].append(block);
    }
  }

  void sayMeans(const MeasuredTable& table, const io::ProfileBlock& block) {
    said_.clear();
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      said_ += fmt::format("{}{} {}", c == 0 ? "" : ", ", table.columns[c],
                           withError(block.further[c][0], block.furtherError[c][0]));
  }

  std::string nameOf(const MeasuredTable& table) const { return measure_.name + table.suffix; }
  static io::ProfileLayout layoutOf(const MeasuredTable& table) {
    io::ProfileLayout layout(table.columns);
    layout.along = table.along;
    return layout;
  }
  std::string arrayName() const { return "measure_" + measure_.name; }
  bool isDue(i64 step) const {
    return step >= measure_.start && (step - measure_.start) % measure_.every == 0 && measured_->takes(numberOf(step));
  }
  i64 numberOf(i64 step) const { return (step - measure_.start) / measure_.every; }
  i64 blockOf(i64 step) const { return measure_.window > 0 ? (step - measure_.start) / measure_.window : 0; }

  RecorderContext context_;
  input::Measure measure_;
  std::unique_ptr<Measured> measured_;
  std::vector<MeasuredTable> tables_;
  BlockedSums sums_;
  std::vector<io::ProfileWriter::Earlier> earlier_;  // of the root
  std::vector<io::ProfileWriter> writers_;           // of the root
  std::string said_;                                 // of the last block's means
  bool isNew_ = false;                               // in a resumed run
  i64 first_ = 0, last_ = -1;
};

}  // namespace

std::unique_ptr<Recorder> makeMeasureRecorder(const RecorderContext& context, const input::Measure& measure) {
  return std::make_unique<MeasureRecorder>(context, measure);
}

}  // namespace mesowarp
