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

const std::vector<std::string> csvColumns{"block",
                                          "first_step",
                                          "last_step",
                                          "coordinate",
                                          "density",
                                          "velocity_x",
                                          "velocity_y",
                                          "velocity_z",
                                          "temperature",
                                          "samples",
                                          "count",
                                          "density_error",
                                          "velocity_x_error",
                                          "velocity_y_error",
                                          "velocity_z_error",
                                          "temperature_error"};
constexpr std::size_t lastStepColumn = 2;

// The datasets of the HDF5 file: numbers of a block, then arrays over its bins.
struct StepSeries {
  const char* name;
  std::int64_t ProfileBlock::*member;
};
constexpr std::array<StepSeries, 3> stepSeries{{{"first_step", &ProfileBlock::firstStep},
                                                {"last_step", &ProfileBlock::lastStep},
                                                {"samples", &ProfileBlock::samples}}};
struct BinSeries {
  const char* name;
  std::vector<double> ProfileBlock::*member;
  std::size_t width;
  bool isOptional;
};
constexpr std::array<BinSeries, 7> binSeries{{{"count", &ProfileBlock::count, 1, false},
                                              {"density", &ProfileBlock::density, 1, false},
                                              {"velocity", &ProfileBlock::velocity, 3, false},
                                              {"temperature", &ProfileBlock::temperature, 1, false},
                                              {"density_error", &ProfileBlock::densityError, 1, true},
                                              {"velocity_error", &ProfileBlock::velocityError, 3, true},
                                              {"temperature_error", &ProfileBlock::temperatureError, 1, true}}};

constexpr const char* coordinateDataset = "coordinate";

std::string csvPath(const std::string& directory, const std::string& name) {
  return (fs::path(directory) / (name + ".csv")).string();
}

void checkBlock(const ProfileBlock& block, std::size_t bins, const std::string& path) {
  for (const auto& series : binSeries) {
    const std::size_t size = (block.*series.member).size();
    if (size != bins * series.width && !(series.isOptional && size == 0))
      throw RunError(fmt::format("{}: a profile of {} bins with {} numbers of {}", path, bins, size, series.name));
  }
  if (block.coordinate.size() != bins) throw RunError(fmt::format("{}: the number of bins has changed", path));
}

}  // namespace

ProfileWriter::ProfileWriter(const std::string& directory, const std::string& name)
    : path_((fs::path(directory) / (name + ".h5")).string()),
      csv_(CsvFile::create(csvPath(directory, name), csvColumns)), file_(hdf5::createFile(path_)) {
  hdf5::flush(file_, path_);
}

ProfileWriter ProfileWriter::resume(const std::string& directory, const std::string& name, std::int64_t lastStep) {
  ProfileWriter writer;
  writer.path_ = (fs::path(directory) / (name + ".h5")).string();
  if (!fs::exists(writer.path_)) throw InputError("profile " + writer.path_ + " to continue does not exist");
  writer.csv_ = CsvFile::resume(csvPath(directory, name), csvColumns, lastStepColumn, lastStep);
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
  for (const auto& entry : binSeries) {
    const hdf5::Shape shape = entry.width == 1 ? hdf5::Shape{bins_} : hdf5::Shape{bins_, entry.width};
    series_.push_back(hdf5::Series::create(file, entry.name, H5T_IEEE_F64LE, shape));
  }
  hdf5::writeDataset(file, coordinateDataset, {bins_}, first.coordinate);
  hdf5::writeAttribute(file, coordinateDataset, "axis", std::string(1, "xyz"[std::clamp(first.axis, 0, 2)]));
}

void ProfileWriter::openSeries() {
  const hid_t file = file_.get();
  for (const auto& entry : stepSeries) series_.push_back(hdf5::Series::open(file, entry.name));
  for (const auto& entry : binSeries) series_.push_back(hdf5::Series::open(file, entry.name));
  bins_ = hdf5::elementCount(file, coordinateDataset);
}

void ProfileWriter::append(const ProfileBlock& block) {
  checkBlock(block, series_.empty() ? block.coordinate.size() : bins_, path_);
  if (series_.empty()) createSeries(block);
  appendToCsv(block);
  appendToHdf5(block);
  ++blocks_;
}

void ProfileWriter::appendToCsv(const ProfileBlock& block) {
  const auto optional = [](const std::vector<double>& values, std::size_t i) {
    return values.empty() ? std::string() : csvNumber(values[i]);
  };
  std::string rows;
  for (std::size_t i = 0; i < bins_; ++i) {
    rows += fmt::format("{},{},{},{},{},{},{},{},{},{},{}", blocks_, block.firstStep, block.lastStep,
                        csvNumber(block.coordinate[i]), csvNumber(block.density[i]), csvNumber(block.velocity[3 * i]),
                        csvNumber(block.velocity[3 * i + 1]), csvNumber(block.velocity[3 * i + 2]),
                        csvNumber(block.temperature[i]), block.samples, csvNumber(block.count[i]));
    rows += "," + optional(block.densityError, i);
    for (std::size_t axis = 0; axis < 3; ++axis) rows += "," + optional(block.velocityError, 3 * i + axis);
    rows += "," + optional(block.temperatureError, i) + "\n";
  }
  csv_.append(rows);
}

void ProfileWriter::appendToHdf5(const ProfileBlock& block) {
  std::size_t next = 0;
  for (const auto& entry : stepSeries) series_[next++].append(H5T_NATIVE_INT64, &(block.*entry.member));
  for (const auto& entry : binSeries) {
    std::vector<double> values = block.*entry.member;
    values.resize(bins_ * entry.width, std::numeric_limits<double>::quiet_NaN());  // optional and absent
    series_[next++].append(values);
  }
  hdf5::flush(file_, path_);
}

}  // namespace mesowarp::io
