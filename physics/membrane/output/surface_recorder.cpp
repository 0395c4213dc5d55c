// surface-<population>-<step>.vtp: the cells of a population as triangles, with the concentrations that vertices carry,
// VTK's XML format, one file for each frame of the trajectory. ParaView opens all of them as one series. Each is whole
// or not there; a resumed run deletes those of later steps and writes its own. And all frames of all populations in
// surfaces.h5, with surfaces.xmf.
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "input/result_files.hpp"
#include "io/files/file_system.hpp"
#include "io/files/new_file.hpp"
#include "io/frames/surface_frames.hpp"
#include "io/ranks.hpp"
#include "physics/integrate/elapsed_time.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/membrane/output/cell_vertices.hpp"
#include "physics/membrane/output/membrane_output.hpp"
#include "physics/transport/concentration_change.hpp"

namespace mesowarp::membrane {
namespace {

// Binary data behind the XML: each array with its length in bytes before it.
class Appended {
public:
  template <class T>
  std::string add(const char* type, const char* name, int components, const std::vector<T>& values) {
    const std::size_t offset = bytes_.size();
    const std::uint64_t length = values.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char*>(&length), sizeof(length));
    bytes_.append(reinterpret_cast<const char*>(values.data()), length);
    return fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
        name, components, offset);
  }
  const std::string& bytes() const { return bytes_; }

private:
  std::string bytes_;
};

class SurfaceRecorder final : public Recorder {
public:
  SurfaceRecorder(const RecorderContext& context, const input::Output& output)
      : context_(context), every_(output.every), atEnd_(output.at_end) {
    for (const auto& [population, first] : membranePopulations(context.deck)) {
      const auto mesh = meshOf(cellsOf(*population));
      cells_.push_back({population->name, first, cellCount(*population, context.deck.box), mesh});
    }
    std::vector<io::SurfaceLayout> layouts;
    for (const Cells& cells : cells_) layouts.push_back(layoutOf(cells));
    frames_.emplace(std::move(layouts));
  }
  void check() override {
    io::onRoot(context_.ranks,
               [&] { earlier_ = frames_->look(context_.directory, context_.resumedFrom, context_.marks); });
  }
  void open() override {
    io::onRoot(context_.ranks, [&] {
      if (context_.resumedFrom < 0) return frames_->create(context_.directory);
      if (earlier_.state() == io::EarlierOutput::State::absent)
        tellOfNewFile(context_, std::string(io::SurfaceFrames::name) + ".h5");
      frames_->resume(context_.directory, context_.resumedFrom, earlier_);
      removeLater();
    });
  }
  void mark(i64 step, io::FileMarks& marks) override {
    io::onRoot(context_.ranks, [&] { frames_->mark(step, marks); });
  }
  void finish() override {
    io::onRoot(context_.ranks, [&] { frames_->flush(); });
  }
  Wanted wants(i64 step, bool last) const override {
    Wanted wanted;
    wanted.snapshot = (every_ > 0 && step % every_ == 0) || (last && atEnd_);
    return wanted;
  }
  void record(i64 step, Engine& engine, const RunClock&) override {
    if (step == last_ || !wants(step, step == context_.deck.run.steps).snapshot) return;
    last_ = step;
    std::vector<std::vector<std::vector<double>>> values;
    for (const Cells& cells : cells_) {
      const auto vertices = static_cast<i64>(cells.mesh->vertex.size());
      const io::Snapshot snapshot = engine.placesOf(step, cells.first, cells.count * vertices, vertices);
      const auto places = cellVertices(snapshot, cells.first, cells.count * vertices, context_.ranks);
      std::vector<double> carried;
      if (!solutes().empty())
        carried = cellValues(snapshot, transport::observedField, solutes().size(), cells.first, cells.count * vertices,
                             context_.ranks);
      auto& ofCells = values.emplace_back();
      ofCells.push_back(places);
      for (std::size_t k = 0; k < solutes().size(); ++k) ofCells.push_back(ofSolute(carried, k));
      io::onRoot(context_.ranks, [&] { write(step, timeOf(context_.deck, step), cells, places, carried); });
    }
    io::onRoot(context_.ranks, [&] {
      if (step > frames_->lastStep()) frames_->append(step, timeOf(context_.deck, step), values);
    });
  }

private:
  struct Cells {
    std::string name;
    i64 first, count;
    std::shared_ptr<const Surface> mesh;
  };

  // Of steps that are to come, and what a kill left half written.
  void removeLater() const {
    std::vector<std::string> gone;
    for (const auto& entry : std::filesystem::directory_iterator(context_.directory)) {
      const std::string name = entry.path().filename().string();
      for (const Cells& cells : cells_) {
        const std::string front = frontOf(cells);
        if (!name.starts_with(front)) continue;
        i64 step = 0;
        const char *from = name.data() + front.size(), *end = name.data() + name.size();
        const auto [at, error] = std::from_chars(from, end, step);
        const std::string_view behind(at, static_cast<std::size_t>(end - at));
        if (error != std::errc() || !behind.starts_with(".vtp")) continue;
        if (behind.ends_with(".tmp") || (behind == ".vtp" && step > context_.resumedFrom)) gone.push_back(name);
      }
    }
    for (const auto& name : gone) io::removeDurably(context_.directory + "/" + name);
  }
  static std::string frontOf(const Cells& cells) { return fmt::format("{}{}-", input::surfaceSeries, cells.name); }

  std::vector<std::string> solutes() const {
    return transport::hasTransport(context_.deck) ? transport::transportOf(context_.deck).solutes
                                                  : std::vector<std::string>();
  }

  std::vector<double> ofSolute(const std::vector<double>& carried, std::size_t k) const {
    std::vector<double> one;
    for (std::size_t at = k; at < carried.size(); at += solutes().size()) one.push_back(carried[at]);
    return one;
  }

  io::SurfaceLayout layoutOf(const Cells& cells) const {
    const auto vertices = static_cast<i64>(cells.mesh->vertex.size());
    io::SurfaceLayout layout{cells.name, static_cast<std::size_t>(cells.count * vertices), {}, {}, solutes()};
    for (i64 c = 0; c < cells.count; ++c) {
      for (const auto& triangle : cells.mesh->triangle)
        for (const int v : triangle) layout.triangles.push_back(c * vertices + v);
      layout.cell.insert(layout.cell.end(), static_cast<std::size_t>(vertices), c);
    }
    return layout;
  }

  // carried: of each vertex and solute, its concentration.
  void write(i64 step, double time, const Cells& cells, const std::vector<double>& places,
             const std::vector<double>& carried) const {
    const auto vertices = static_cast<i64>(cells.mesh->vertex.size()),
               triangles = static_cast<i64>(cells.mesh->triangle.size());
    std::vector<std::int64_t> corners, ends;
    std::vector<std::int32_t> cell;
    for (i64 c = 0; c < cells.count; ++c) {
      for (const auto& triangle : cells.mesh->triangle) {
        for (const int v : triangle) corners.push_back(c * vertices + v);
        ends.push_back(static_cast<std::int64_t>(corners.size()));
      }
      cell.insert(cell.end(), static_cast<std::size_t>(vertices), static_cast<std::int32_t>(c));
    }
    Appended data;
    std::string text =
        fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                    "NumberOfTuples=\"1\">{}</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"{}\" "
                    "NumberOfPolys=\"{}\">\n<Points>\n",
                    time, cells.count * vertices, cells.count * triangles);
    text += data.add("Float64", "position", 3, places) + "</Points>\n<PointData>\n";
    text += data.add("Int32", "cell", 1, cell);
    const auto names = solutes();
    for (std::size_t k = 0; k < names.size(); ++k)
      text += data.add("Float64", names[k].c_str(), 1, ofSolute(carried, k));
    text += "</PointData>\n<Polys>\n";
    text += data.add("Int64", "connectivity", 1, corners) + data.add("Int64", "offsets", 1, ends);
    text += "</Polys>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    io::NewFile file(fmt::format("{}/{}{:010}.vtp", context_.directory, frontOf(cells), step), true);
    file.write(text), file.write(data.bytes()), file.write("\n</AppendedData>\n</VTKFile>\n");
    file.finish();
  }

  RecorderContext context_;
  i64 every_, last_ = -1;
  bool atEnd_;
  std::vector<Cells> cells_;
  std::optional<io::SurfaceFrames> frames_;
  io::EarlierOutput earlier_;  // of the root
};

}  // namespace

std::unique_ptr<Recorder> makeSurfaceRecorder(const RecorderContext& context, const input::Output& output) {
  return std::make_unique<SurfaceRecorder>(context, output);
}

}  // namespace mesowarp::membrane
