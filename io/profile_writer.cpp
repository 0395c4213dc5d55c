#include "io/profile_writer.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "core/error.hpp"

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

// What a profile can hold beside the number of particles, in the order of the files.
struct Quantity {
  const char* name;
  std::vector<double> ProfileBlock::*value;
  std::vector<double> ProfileBlock::*error;  // may be empty
  std::size_t width;                         // numbers a bin
};
constexpr std::array<Quantity, 3> quantities{
    {{"density", &ProfileBlock::density, &ProfileBlock::densityError, 1},
     {"velocity", &ProfileBlock::velocity, &ProfileBlock::velocityError, 3},
     {"temperature", &ProfileBlock::temperature, &ProfileBlock::temperatureError, 1}}};

// The datasets of the HDF5 file: numbers of a block, then arrays over its bins.
struct StepSeries {
  const char* name;
  std::int64_t ProfileBlock::*member;
};
constexpr std::array<StepSeries, 3> stepSeries{{{"first_step", &ProfileBlock::firstStep},
                                                {"last_step", &ProfileBlock::lastStep},
                                                {"samples", &ProfileBlock::samples}}};
struct BinSeries {
  std::string name;
  std::vector<double> ProfileBlock::*member;
  std::size_t width;
  bool isOptional;
};

bool isChosen(const Quantity& quantity, const std::vector<std::string>& chosen) {
  return std::find(chosen.begin(), chosen.end(), quantity.name) != chosen.end();
}

std::vector<BinSeries> binSeriesOf(const std::vector<std::string>& chosen) {
  std::vector<BinSeries> series{{"count", &ProfileBlock::count, 1, false}};
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) series.push_back({quantity.name, quantity.value, quantity.width, false});
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen))
      series.push_back({quantity.name + std::string("_error"), quantity.error, quantity.width, true});
  return series;
}

// velocity: velocity_x, velocity_y, velocity_z; the others: one column.
void addColumns(std::vector<std::string>& columns, const Quantity& quantity, const std::string& suffix) {
  for (std::size_t axis = 0; axis < quantity.width; ++axis)
    columns.push_back(quantity.name + (quantity.width > 1 ? std::string("_") + "xyz"[axis] : "") + suffix);
}

constexpr std::size_t lastStepColumn = 2;
std::vector<std::string> csvColumnsOf(const std::vector<std::string>& chosen) {
  std::vector<std::string> columns{"block", "first_step", "last_step", "coordinate"};
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) addColumns(columns, quantity, "");
  columns.insert(columns.end(), {"samples", "count"});
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) addColumns(columns, quantity, "_error");
  return columns;
}

constexpr const char* coordinateDataset = "coordinate";

std::string csvPath(const std::string& directory, const std::string& name) {
  return (fs::path(directory) / (name + ".csv")).string();
}

void checkBlock(const ProfileBlock& block, const std::vector<BinSeries>& all, std::size_t bins,
                const std::string& path) {
  for (const auto& series : all) {
    const std::size_t size = (block.*series.member).size();
    if (size != bins * series.width && !(series.isOptional && size == 0))
      throw RunError(fmt::format("{}: a profile of {} bins with {} numbers of {}", path, bins, size, series.name));
  }
  if (block.coordinate.size() != bins) throw RunError(fmt::format("{}: the number of bins has changed", path));
}

}  // namespace

ProfileWriter::ProfileWriter(const std::string& directory, const std::string& name,
                             const std::vector<std::string>& chosen)
    : path_((fs::path(directory) / (name + ".h5")).string()), quantities_(chosen),
      csv_(CsvFile::create(csvPath(directory, name), csvColumnsOf(chosen))), file_(hdf5::createFile(path_)) {
  hdf5::flush(file_, path_);
}

ProfileWriter ProfileWriter::resume(const std::string& directory, const std::string& name,
                                    const std::vector<std::string>& chosen, std::int64_t lastStep) {
  ProfileWriter writer;
  writer.quantities_ = chosen;
  writer.path_ = (fs::path(directory) / (name + ".h5")).string();
  if (!fs::exists(writer.path_)) throw InputError("profile " + writer.path_ + " to continue does not exist");
  writer.csv_ = CsvFile::resume(csvPath(directory, name), csvColumnsOf(chosen), lastStepColumn, lastStep);
  hdf5::asInputError(writer.path_, [&] {
    writer.file_ = hdf5::openFile(writer.path_, hdf5::Mode::readWrite);
    if (!hdf5::exists(writer.file_.get(), coordinateDataset)) return;
    writer.openSeries();
    const auto ends = hdf5::readDataset<std::int64_t>(writer.file_.get(), "last_step");
    std::size_t blocks = ends.size();
    for (const auto& series : writer.series_) blocks = std::min<std::size_t>(blocks, series.rows());
    while (blocks > 0 && ends[blocks - 1] > lastStep) --blocks;
    for (auto& series : writer.series_) series.truncate(blocks);
    writer.blocks_ = blocks;
    hdf5::flush(writer.file_, writer.path_);
  });
  return writer;
}

void ProfileWriter::createSeries(const ProfileBlock& first) {
  const hid_t file = file_.get();
  bins_ = first.coordinate.size();
  for (const auto& entry : stepSeries) series_.push_back(hdf5::Series::create(file, entry.name, H5T_STD_I64LE, {}));
  for (const auto& entry : binSeriesOf(quantities_)) {
    const hdf5::Shape shape = entry.width == 1 ? hdf5::Shape{bins_} : hdf5::Shape{bins_, entry.width};
    series_.push_back(hdf5::Series::create(file, entry.name, H5T_IEEE_F64LE, shape));
  }
  hdf5::writeDataset(file, coordinateDataset, {bins_}, first.coordinate);
  hdf5::writeAttribute(file, coordinateDataset, "axis", std::string(1, "xyz"[std::clamp(first.axis, 0, 2)]));
}

void ProfileWriter::openSeries() {
  const hid_t file = file_.get();
  for (const auto& entry : stepSeries) series_.push_back(hdf5::Series::open(file, entry.name));
  for (const auto& entry : binSeriesOf(quantities_)) series_.push_back(hdf5::Series::open(file, entry.name));
  bins_ = hdf5::elementCount(file, coordinateDataset);
}

void ProfileWriter::append(const ProfileBlock& block) {
  checkBlock(block, binSeriesOf(quantities_), series_.empty() ? block.coordinate.size() : bins_, path_);
  if (series_.empty()) createSeries(block);
  appendToCsv(block);
  appendToHdf5(block);
  ++blocks_;
}

void ProfileWriter::appendToCsv(const ProfileBlock& block) {
  std::string rows;
  const auto add = [&](const std::vector<double>& values, std::size_t bin, std::size_t width) {
    for (std::size_t k = bin * width; k < (bin + 1) * width; ++k)
      rows += "," + (values.empty() ? std::string() : csvNumber(values[k]));
  };
  for (std::size_t bin = 0; bin < bins_; ++bin) {
    rows += fmt::format("{},{},{},{}", blocks_, block.firstStep, block.lastStep, csvNumber(block.coordinate[bin]));
    for (const auto& quantity : quantities)
      if (isChosen(quantity, quantities_)) add(block.*quantity.value, bin, quantity.width);
    rows += fmt::format(",{},{}", block.samples, csvNumber(block.count[bin]));
    for (const auto& quantity : quantities)
      if (isChosen(quantity, quantities_)) add(block.*quantity.error, bin, quantity.width);
    rows += "\n";
  }
  csv_.append(rows);
}

void ProfileWriter::appendToHdf5(const ProfileBlock& block) {
  std::size_t next = 0;
  for (const auto& entry : stepSeries) series_[next++].append(H5T_NATIVE_INT64, &(block.*entry.member));
  for (const auto& entry : binSeriesOf(quantities_)) {
    std::vector<double> values = block.*entry.member;
    values.resize(bins_ * entry.width, std::numeric_limits<double>::quiet_NaN());  // optional and absent
    series_[next++].append(values);
  }
  hdf5::flush(file_, path_);
}

}  // namespace mesowarp::io
