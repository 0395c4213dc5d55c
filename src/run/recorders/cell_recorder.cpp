// cells.csv: a row for each cell of the membranes and each step that is due. The root has all vertices of such a step.
#include <fmt/format.h>
#include <optional>

#include "io/files/earlier_output.hpp"
#include "io/ranks.hpp"
#include "io/text/csv_file.hpp"
#include "physics/membrane/observe/cell_measures.hpp"
#include "physics/transport/concentration_change.hpp"
#include "run/recorders/cell_vertices.hpp"

namespace mesowarp {
namespace {

namespace membrane = mesowarp::membrane;
using membrane::Point;

class CellRecorder final : public Recorder {
public:
  explicit CellRecorder(const RecorderContext& context)
      : context_(context), path_(context.directory + "/" + membrane::cellFile) {
    columns_ = {"step", "time", "population", "cell"};
    for (const auto& column : membrane::cellColumns()) columns_.push_back(column);
    if (transport::hasTransport(context.deck))
      for (const auto& solute : transport::transportOf(context.deck).solutes) columns_.push_back("mean_" + solute);
    for (const auto& [population, first] : membrane::membranePopulations(context.deck)) {
      const auto* keys = membrane::membraneOf(context.deck, population->name);
      if (keys->table_every <= 0) continue;
      const auto mesh = membrane::meshOf(membrane::cellsOf(*population));
      cells_.push_back({population->name, first, membrane::cellCount(*population, context.deck.box),
                        static_cast<i64>(mesh->vertex.size()), keys->table_every,
                        membrane::CellMeter(*mesh, membrane::mechanicsOf(context.deck, *keys, *mesh))});
    }
  }

  void check() override {
    io::onRoot(context_.ranks, [&] {
      const auto mark = context_.marks.find(membrane::cellFile);
      earlier_ = io::EarlierOutput(path_, context_.resumedFrom, mark == context_.marks.end() ? nullptr : &mark->second,
                                   io::EarlierOutput::Growth::appended);
      if (earlier_.state() != State::absent) io::CsvFile::requireColumns(path_, columns_);
    });
  }
  void open() override {
    io::onRoot(context_.ranks, [&] { openFile(); });
    last_ = io::fromRoot(context_.ranks, last_);
  }
  void mark(i64, io::FileMarks& marks) override {
    io::onRoot(context_.ranks, [&] { marks[membrane::cellFile] = file_->mark(); });
  }
  void finish() override {
    io::onRoot(context_.ranks, [&] { file_->mark(); });
  }
  Wanted wants(i64 step, bool) const override {
    Wanted wanted;
    for (const auto& cells : cells_) wanted.snapshot = wanted.snapshot || step % cells.every == 0;
    return wanted;
  }
  void record(i64 step, Engine& engine, const RunClock&) override {
    if (step <= last_ || !wants(step, false).snapshot) return;
    last_ = step;
    const io::Snapshot snapshot = engine.snapshot(step, 0);
    std::string rows;
    for (const auto& cells : cells_)
      if (step % cells.every == 0) addRows(snapshot, cells, rows);
    io::onRoot(context_.ranks, [&] { file_->append(rows); });
  }

private:
  using State = io::EarlierOutput::State;
  struct Cells {
    std::string name;
    i64 first, count, vertices, every;
    membrane::CellMeter meter;
  };

  void openFile() {
    if (context_.resumedFrom < 0 || earlier_.state() == State::absent) {
      if (context_.resumedFrom >= 0) tellOfNewFile(context_, membrane::cellFile), earlier_.giveUp();
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

  void addRows(const io::Snapshot& s, const Cells& cells, std::string& rows) const {
    const std::vector<double> all = cellVertices(s, cells.first, cells.count * cells.vertices, context_.ranks);
    const std::size_t solutes =
        transport::hasTransport(context_.deck) ? transport::transportOf(context_.deck).solutes.size() : 0;
    std::vector<double> carried;
    if (solutes > 0)
      carried =
          cellValues(s, transport::observedField, solutes, cells.first, cells.count * cells.vertices, context_.ranks);
    if (context_.ranks && !context_.ranks->root()) return;
    for (i64 c = 0; c < cells.count; ++c) {
      std::vector<Point> vertices;
      for (i64 v = 0; v < cells.vertices; ++v) {
        const std::size_t at = static_cast<std::size_t>(3 * (c * cells.vertices + v));
        vertices.push_back({all[at], all[at + 1], all[at + 2]});
      }
      rows += fmt::format("{},{},{},{}", s.step, io::csvNumber(s.time), cells.name, c);
      for (const double value : membrane::cellRow(cells.meter(vertices))) rows += "," + io::csvNumber(value);
      for (std::size_t k = 0; k < solutes; ++k) {  // means over the vertices
        double sum = 0.0;
        for (i64 v = c * cells.vertices; v < (c + 1) * cells.vertices; ++v)
          sum += carried[static_cast<std::size_t>(v) * solutes + k];
        rows += "," + io::csvNumber(sum / static_cast<double>(cells.vertices));
      }
      rows += "\n";
    }
  }

  RecorderContext context_;
  std::string path_;
  std::vector<std::string> columns_;
  std::vector<Cells> cells_;
  io::EarlierOutput earlier_;
  std::optional<io::CsvFile> file_;  // of the root
  i64 last_ = -1;                    // step recorded
};

}  // namespace

std::unique_ptr<Recorder> makeCellRecorder(const RecorderContext& context) {
  return std::make_unique<CellRecorder>(context);
}

}  // namespace mesowarp
