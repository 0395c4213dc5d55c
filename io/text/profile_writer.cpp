#include "io/text/profile_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "core/error.hpp"
#include "io/text/profile_layout.hpp"

namespace mesowarp::io {

using namespace profile;

namespace {

void checkBlock(const ProfileBlock& block, const std::vector<BinSeries>& all, std::size_t bins,
                const std::string& path) {
  for (const auto& series : all) {
    const std::size_t size = series.of(block).size();
    if (size != bins * series.width && !(series.isOptional && size == 0))
      throw RunError(fmt::format("{}: a profile of {} bins with {} numbers of {}", path, bins, size, series.name));
  }
  if (block.coordinate.size() != bins) throw RunError(fmt::format("{}: the number of bins has changed", path));
}

}  // namespace

std::vector<std::string> furtherQuantities(const std::vector<std::string>& chosen) { return furtherOf(chosen); }

ProfileWriter::ProfileWriter(const std::string& directory, const std::string& name, const ProfileLayout& layout)
    : path_(hdf5Path(directory, name)), csvPath_(csvPath(directory, name)), layout_(layout),
      csv_(CsvFile::create(csvPath_, csvColumnsOf(layout))), file_(hdf5::createFile(path_)) {
  hdf5::flush(file_, path_);
}

void ProfileWriter::createSeries(const ProfileBlock& first) {
  const hid_t file = file_.get();
  bins_ = first.coordinate.size();
  for (const auto& entry : stepSeries) series_.push_back(hdf5::Series::create(file, entry.name, H5T_STD_I64LE, {}));
  for (const auto& entry : binSeriesOf(layout_.quantities)) {
    const hdf5::Shape shape = entry.width == 1 ? hdf5::Shape{bins_} : hdf5::Shape{bins_, entry.width};
    series_.push_back(hdf5::Series::create(file, entry.name, H5T_IEEE_F64LE, shape));
  }
  hdf5::writeDataset(file, coordinateDataset, {bins_}, first.coordinate);
  if (layout_.along != coordinateDataset) return hdf5::writeAttribute(file, coordinateDataset, "along", layout_.along);
  hdf5::writeAttribute(file, coordinateDataset, "axis", std::string(1, "xyz"[std::clamp(first.axis, 0, 2)]));
  if (layout_.shells.empty()) return;
  hdf5::writeAttribute(file, coordinateDataset, "shells", layout_.shells);
  if (hdf5::exists(file, "velocity")) hdf5::writeAttribute(file, "velocity", "components", layout_.components);
}

void ProfileWriter::append(const ProfileBlock& block) {
  checkBlock(block, binSeriesOf(layout_.quantities), series_.empty() ? block.coordinate.size() : bins_, path_);
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
      if (isChosen(quantity, layout_.quantities)) add(block.*quantity.value, bin, quantity.width);
    for (const auto& values : block.further) add(values, bin, 1);
    rows += fmt::format(",{},{}", block.samples, csvNumber(block.count[bin]));
    for (const auto& quantity : quantities)
      if (isChosen(quantity, layout_.quantities)) add(block.*quantity.error, bin, quantity.width);
    for (std::size_t k = 0; k < block.further.size(); ++k)
      add(k < block.furtherError.size() ? block.furtherError[k] : std::vector<double>(), bin, 1);
    rows += "\n";
  }
  csv_.append(rows);
}

void ProfileWriter::appendToHdf5(const ProfileBlock& block) {
  std::size_t next = 0;
  for (const auto& entry : stepSeries) series_[next++].append(H5T_NATIVE_INT64, &(block.*entry.member));
  for (const auto& entry : binSeriesOf(layout_.quantities)) {
    std::vector<double> values = entry.of(block);
    values.resize(bins_ * entry.width, std::numeric_limits<double>::quiet_NaN());  // optional and absent
    series_[next++].append(values);
  }
  hdf5::flush(file_, path_);
}

}  // namespace mesowarp::io
