// cells.csv: a row for each cell of the membranes and each step that is due; and the same numbers in cells.h5, a
// dataset [frames][cells] a column and population. Each rank measures a block of the cells.
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "device/host_loop.hpp"
#include "io/files/earlier_output.hpp"
#include "io/frames/frame_file.hpp"
#include "io/ranks.hpp"
#include "io/text/csv_file.hpp"
#include "physics/integrate/elapsed_time.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/membrane/observe/cell_measures.hpp"
#include "physics/membrane/output/cell_vertices.hpp"
#include "physics/membrane/output/membrane_output.hpp"
#include "physics/transport/concentration_change.hpp"

namespace mesowarp::membrane {
namespace {

class CellRecorder final : public Recorder {
public:
  explicit CellRecorder(const RecorderContext& context)
      : context_(context), path_(context.directory + "/" + cellFile), schedule_(Schedule::of(context.deck)) {
    if (schedule_ && !schedule_->changes(Scheduled::interaction)) schedule_.reset();
    numbers_ = cellColumns();
    if (transport::hasTransport(context.deck))
      for (const auto& solute : transport::transportOf(context.deck).solutes) numbers_.push_back("mean_" + solute);
    columns_ = {"step", "time", "population", "cell"};
    columns_.insert(columns_.end(), numbers_.begin(), numbers_.end());
    for (const auto& [population, first] : membranePopulations(context.deck)) {
      const auto* keys = membraneOf(context.deck, population->name);
      if (keys->table_every <= 0) continue;
      const auto mesh = meshOf(cellsOf(*population));
      cells_.push_back({population->name, first, cellCount(*population, context.deck.box),
                        static_cast<i64>(mesh->vertex.size()), keys->table_every, mesh,
                        CellMeter(*mesh, mechanicsOf(context.deck, *keys, *mesh))});
      auto& group = groups_.emplace_back(io::FrameGroup{population->name, {}, {}});
      for (const auto& column : numbers_) group.values.push_back({column, {static_cast<hsize_t>(cells_.back().count)}});
    }
  }

  void check() override {
    io::onRoot(context_.ranks, [&] {
      const auto mark = context_.marks.find(cellFile);
      earlier_ = io::EarlierOutput(path_, context_.resumedFrom, mark == context_.marks.end() ? nullptr : &mark->second,
                                   io::EarlierOutput::Growth::appended);
      if (earlier_.state() != State::absent) io::CsvFile::requireColumns(path_, columns_);
      earlierFrames_ = io::FrameFile::look(framesPath(), what, groups_, context_.resumedFrom, context_.marks);
    });
  }
  void open() override {
    io::onRoot(context_.ranks, [&] { openFile(), openFrames(); });
    last_ = io::fromRoot(context_.ranks, last_);
  }
  void mark(i64 step, io::FileMarks& marks) override {
    io::onRoot(context_.ranks, [&] {
      marks[cellFile] = file_->mark();
      frames_->mark(step, marks);
    });
  }
  void finish() override {
    io::onRoot(context_.ranks, [&] { file_->mark(), frames_->flush(); });
  }
  Wanted wants(i64 step, bool) const override {
    Wanted wanted;
    for (const auto& cells : cells_) wanted.snapshot = wanted.snapshot || step % cells.every == 0;
    return wanted;
  }
  void record(i64 step, Engine& engine, const RunClock&) override {
    if (step <= last_ || !wants(step, false).snapshot) return;
    last_ = step;
    std::string rows;
    for (std::size_t group = 0; group < cells_.size(); ++group) {
      if (step % cells_[group].every != 0) continue;
      Cells& cells = cells_[group];
      if (schedule_) cells.meter = CellMeter(*cells.mesh, mechanicsAt(step, cells));
      const auto frame = ofAll(
          measured(engine.placesOf(step, cells.first, cells.count * cells.vertices, cells.vertices), cells), cells);
      io::onRoot(context_.ranks, [&] {
        addRows(step, cells, frame, rows);
        if (step > frames_->lastStep(group)) frames_->append(group, step, timeOf(context_.deck, step), frame);
      });
    }
    io::onRoot(context_.ranks, [&] { file_->append(rows); });
  }

private:
  using State = io::EarlierOutput::State;
  struct Cells {
    std::string name;
    i64 first, count, vertices, every;
    std::shared_ptr<const Surface> mesh;
    CellMeter meter;
  };

  // As the forces have it: moduli that change with the step, in the units of the start.
  Mechanics mechanicsAt(i64 step, const Cells& cells) const {
    return mechanicsOf(context_.deck, *membraneOf(schedule_->at(step), cells.name), *cells.mesh);
  }

  void openFile() {
    if (context_.resumedFrom < 0 || earlier_.state() == State::absent) {
      if (context_.resumedFrom >= 0) tellOfNewFile(context_, cellFile), earlier_.giveUp();
      file_ = io::CsvFile::create(path_, columns_);
      return;
    }
    if (earlier_.state() == State::exact) {
      earlier_.rollBack();
      file_ = io::CsvFile::reopen(path_, columns_);
    } else {
      file_ = io::CsvFile::resume(path_, columns_, 0, context_.resumedFrom);
    }
    if (!file_->lastRow().empty()) last_ = std::stoll(file_->lastRow());
  }

  void openFrames() {
    if (context_.resumedFrom < 0) return void(frames_.emplace(framesPath(), groups_));
    if (earlierFrames_.state() == State::absent) tellOfNewFile(context_, framesFile);
    frames_ = io::FrameFile::resume(framesPath(), what, groups_, context_.resumedFrom, earlierFrames_);
  }
  std::string framesPath() const { return context_.directory + "/" + framesFile; }

  // A row of numbers for each cell of this rank's block.
  std::vector<double> measured(const io::Snapshot& s, const Cells& cells) const {
    const i64 here = static_cast<i64>(s.tag.size()), own = here / cells.vertices;
    const std::vector<double> all = cellVertices(s, s.first, here, nullptr);
    const std::size_t width = numbers_.size(), solutes = width - cellColumns().size();
    std::vector<double> carried, rows(static_cast<std::size_t>(own) * width);
    if (solutes > 0) carried = cellValues(s, transport::observedField, solutes, s.first, here, nullptr);
    hostLoop("table of cells", 0, own, [&](i64 c) {
      std::vector<Point> vertices;
      for (i64 v = 0; v < cells.vertices; ++v) {
        const std::size_t at = static_cast<std::size_t>(3 * (c * cells.vertices + v));
        vertices.push_back({all[at], all[at + 1], all[at + 2]});
      }
      double* next = &rows[static_cast<std::size_t>(c) * width];
      for (const double value : cellRow(cells.meter(vertices))) *next++ = value;
      for (std::size_t k = 0; k < solutes; ++k) {  // means over the vertices
        double sum = 0.0;
        for (i64 v = c * cells.vertices; v < (c + 1) * cells.vertices; ++v)
          sum += carried[static_cast<std::size_t>(v) * solutes + k];
        *next++ = sum / static_cast<double>(cells.vertices);
      }
    });
    return rows;
  }
  // Of each column, the numbers of all cells; on the root.
  std::vector<std::vector<double>> ofAll(const std::vector<double>& rows, const Cells& cells) const {
    const std::size_t width = numbers_.size();
    std::vector<std::vector<double>> frame(width);
    const auto add = [&](const std::vector<double>& some) {
      for (std::size_t at = 0; at < some.size(); ++at) frame[at % width].push_back(some[at]);
    };
    for (auto& column : frame) column.reserve(static_cast<std::size_t>(cells.count));
    context_.ranks ? context_.ranks->inTurn(rows, add) : add(rows);
    return frame;
  }
  void addRows(i64 step, const Cells& cells, const std::vector<std::vector<double>>& frame, std::string& rows) const {
    for (i64 c = 0; c < cells.count; ++c) {
      rows += fmt::format("{},{},{},{}", step, io::csvNumber(timeOf(context_.deck, step)), cells.name, c);
      for (const auto& column : frame) rows += fmt::format(",{}", io::csvNumber(column[static_cast<std::size_t>(c)]));
      rows += "\n";
    }
  }

  static constexpr const char *framesFile = "cells.h5", *what = "file of cells";
  RecorderContext context_;
  std::string path_;
  std::shared_ptr<Schedule> schedule_;  // null: no moduli change with the step
  std::vector<std::string> columns_, numbers_;
  std::vector<Cells> cells_;
  std::vector<io::FrameGroup> groups_;  // of them
  io::EarlierOutput earlier_, earlierFrames_;
  std::optional<io::CsvFile> file_;      // of the root
  std::optional<io::FrameFile> frames_;  // likewise
  i64 last_ = -1;                        // step recorded
};

}  // namespace

std::unique_ptr<Recorder> makeCellRecorder(const RecorderContext& context) {
  return std::make_unique<CellRecorder>(context);
}

}  // namespace mesowarp::membrane
