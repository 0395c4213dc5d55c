#include "io/fields/field_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "core/error.hpp"
#include "io/fields/xdmf_slab.hpp"
#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5_driver.hpp"

namespace mesowarp::io {
namespace {

constexpr const char* stepSeries[] = {"first_step", "last_step", "samples"};
constexpr const char *spacingDataset = "spacing", *edgesDataset = "edges";
constexpr std::size_t timePlace = std::size(stepSeries);  // of the series; edges are behind it

std::string pathOf(const std::string& directory, const std::string& name, const char* ending) {
  return (std::filesystem::path(directory) / (name + ending)).string();
}
std::string fileName(const std::string& path) { return std::filesystem::path(path).filename().string(); }

hdf5::Shape shapeOf(const FieldLayout& layout, const FieldQuantity& quantity) {
  hdf5::Shape shape{layout.grid.cells[2], layout.grid.cells[1], layout.grid.cells[0]};
  if (quantity.width > 1) shape.push_back(quantity.width);
  return shape;
}

const char* attributeType(std::size_t width) { return width == 1 ? "Scalar" : width == 3 ? "Vector" : "Tensor6"; }

// One block's values out of a dataset [blocks][z][y][x]([width]).
std::string slab(const std::string& file, const FieldLayout& layout, const FieldQuantity& quantity, std::size_t block) {
  const hdf5::Shape shape = shapeOf(layout, quantity);
  const std::vector<std::size_t> extents(shape.begin(), shape.end());
  const std::string name = xmlText(quantity.name);
  return fmt::format(R"(        <Attribute Name="{}" AttributeType="{}" Center="Cell">
          {}
        </Attribute>
)",
                     name, attributeType(quantity.width),
                     xdmfFrame(file + ":/" + name, "Float", 8, block, extents).text(extents));
}

}  // namespace

FieldWriter::FieldWriter(std::string path, FieldLayout layout)
    : path_(std::move(path)), layout_(std::move(layout)),
      xdmf_(std::filesystem::path(path_).replace_extension(".xmf").string(), "field") {}

FieldWriter::FieldWriter(const std::string& directory, const std::string& name, FieldLayout layout)
    : FieldWriter(pathOf(directory, name, ".h5"), std::move(layout)) {
  create();
}

void FieldWriter::create() {
  file_ = hdf5::createFile(path_);
  const hid_t file = file_.get();
  for (const char* name : stepSeries) series_.push_back(hdf5::Series::create(file, name, H5T_STD_I64LE, {}));
  series_.push_back(hdf5::Series::create(file, "time", H5T_IEEE_F64LE, {}));
  if (layout_.boxChanges) series_.push_back(hdf5::Series::create(file, edgesDataset, H5T_IEEE_F64LE, {3}));
  for (const auto& quantity : layout_.quantities)
    series_.push_back(hdf5::Series::create(file, quantity.name, H5T_IEEE_F64LE, shapeOf(layout_, quantity)));
  hdf5::writeDataset(file, spacingDataset, {3},
                     std::vector<double>(layout_.grid.spacing.begin(), layout_.grid.spacing.end()));
  hdf5::flush(file_, path_);
}

void FieldWriter::open(hdf5::Mode mode) {
  file_ = hdf5::openFile(path_, mode);
  for (const char* name : stepSeries) series_.push_back(hdf5::Series::open(file_.get(), name));
  series_.push_back(hdf5::Series::open(file_.get(), "time"));
  if (layout_.boxChanges) series_.push_back(hdf5::Series::open(file_.get(), edgesDataset));
  for (const auto& quantity : layout_.quantities) {
    series_.push_back(hdf5::Series::open(file_.get(), quantity.name));
    if (series_.back().rowShape() != shapeOf(layout_, quantity))
      throw RunError(fmt::format("its {} has other cells than the deck's [[measure]]", quantity.name));
  }
}

// A run that died between two datasets leaves them of different lengths: only blocks that all of them have count.
std::size_t FieldWriter::blocksUpTo(std::int64_t lastStep) const {
  const auto ends = hdf5::readDataset<std::int64_t>(file_.get(), stepSeries[1]);
  std::size_t blocks = ends.size();
  for (const auto& series : series_) blocks = std::min<std::size_t>(blocks, series.rows());
  while (blocks > 0 && ends[blocks - 1] > lastStep) --blocks;
  return blocks;
}

// What HDF5 drops it drops in place, so in a copy.
void FieldWriter::cut(std::int64_t lastStep) {
  FieldWriter before(path_, layout_);
  before.open(hdf5::Mode::read);
  const std::size_t blocks = before.blocksUpTo(lastStep);
  const auto isCut = [&](const hdf5::Series& series) { return series.rows() == blocks; };
  if (std::all_of(before.series_.begin(), before.series_.end(), isCut)) return;
  hdf5::changeInCopy(path_, [&](const std::string& copy) {
    FieldWriter shorter(copy, layout_);
    shorter.open(hdf5::Mode::readWrite);
    for (auto& series : shorter.series_) series.truncate(blocks);
    shorter.series_.clear();
    hdf5::close(std::move(shorter.file_), copy);
  });
}

EarlierOutput FieldWriter::look(const std::string& directory, const std::string& name, const FieldLayout& layout,
                                std::int64_t step, const FileMarks& marks) {
  const std::string path = pathOf(directory, name, ".h5");
  const auto mark = marks.find(fileName(path));
  EarlierOutput earlier(path, step, mark == marks.end() ? nullptr : &mark->second, EarlierOutput::Growth::overwritten);
  if (earlier.state() == EarlierOutput::State::rows)
    withWayOut(path, "field", [&] { FieldWriter(path, layout).open(hdf5::Mode::read); });
  return earlier;
}

FieldWriter FieldWriter::resume(const std::string& directory, const std::string& name, FieldLayout layout,
                                std::int64_t lastStep, const EarlierOutput& earlier) {
  FieldWriter writer(pathOf(directory, name, ".h5"), std::move(layout));
  withWayOut(writer.path_, "field", [&] {
    using State = EarlierOutput::State;
    if (earlier.state() == State::exact)
      earlier.rollBack();
    else
      earlier.giveUp();
    if (earlier.state() == State::absent) return writer.create();
    if (earlier.state() == State::rows) writer.cut(lastStep);
    writer.open(hdf5::Mode::readWrite);
    UndoBase base = earlier.base();
    if (earlier.state() == State::rows) base.mark = markOf(writer.path_);
    hdf5::keepUndo(writer.file_.get(), UndoJournal(writer.path_, base));
    writer.xdmf_.add("");
    for (std::size_t block = 0; block < writer.blocks(); ++block) writer.list(block);
  });
  return writer;
}

std::size_t FieldWriter::blocks() const { return series_.front().rows(); }

void FieldWriter::append(const FieldBlock& block) {
  if (block.values.size() != layout_.quantities.size()) throw RunError(path_ + ": a field of other quantities");
  std::size_t next = 0;
  for (const std::int64_t number : {block.firstStep, block.lastStep, block.samples})
    series_[next++].append(H5T_NATIVE_INT64, &number);
  series_[next++].append(std::vector<double>{
      0.5 * layout_.timestep * static_cast<double>(block.firstStep + block.lastStep) + layout_.timeShift});
  if (layout_.boxChanges) series_[next++].append(std::vector<double>(block.edges.begin(), block.edges.end()));
  for (const auto& values : block.values) series_[next++].append(values);
  hdf5::flush(file_, path_);
  list(blocks() - 1);
}

void FieldWriter::list(std::size_t block) {
  const std::string file = xmlText(fileName(path_));
  std::string text = fmt::format("      <Grid Name=\"block {}\" GridType=\"Uniform\">\n        <Time Value=\"{}\" />\n",
                                 block, series_[timePlace].read<double>(block).front());
  XdmfGrid grid = layout_.grid;
  if (layout_.boxChanges) {
    const auto edges = series_[timePlace + 1].read<double>(block);
    for (std::size_t a = 0; a < 3; ++a) grid.spacing[a] = edges[a] / static_cast<double>(grid.cells[a]);
  }
  text += grid.text();
  for (const auto& quantity : layout_.quantities) text += slab(file, layout_, quantity, block);
  xdmf_.add(text + "      </Grid>\n");
}

void FieldWriter::flush() {
  hdf5::flush(file_, path_);
  syncFile(path_);
}

void FieldWriter::mark(std::int64_t step, FileMarks& marks) { marks[fileName(path_)] = hdf5::mark(file_, path_, step); }

}  // namespace mesowarp::io
