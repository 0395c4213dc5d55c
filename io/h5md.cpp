#include "io/h5md.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "core/error.hpp"
#include "io/file_system.hpp"
#include "io/h5md_layout.hpp"

namespace mesowarp::io {

namespace {

const std::vector<double>& valuesOf(const Snapshot& snapshot, TrajectoryField field) {
  if (field == TrajectoryField::velocity) return snapshot.velocity;
  if (field == TrajectoryField::force) return snapshot.force;
  return snapshot.position;
}

std::size_t sizeOf(const Snapshot& snapshot, TrajectoryField field) {
  switch (field) {
  case TrajectoryField::species:
    return snapshot.species.size();
  case TrajectoryField::mass:
    return snapshot.mass.size();
  case TrajectoryField::id:
    return snapshot.tag.size();
  case TrajectoryField::image:
    return snapshot.image.size();
  default:
    return valuesOf(snapshot, field).size();
  }
}

}  // namespace

bool H5mdWriter::has(TrajectoryField field) const {
  return std::find(fields_.begin(), fields_.end(), field) != fields_.end();
}

H5mdWriter::H5mdWriter(const std::string& path, const H5mdMetadata& metadata, std::vector<TrajectoryField> fields,
                       StoredPrecision precision)
    : path_(path), fields_(std::move(fields)), precision_(precision) {
  if (!has(TrajectoryField::position)) fields_.push_back(TrajectoryField::position);
  std::sort(fields_.begin(), fields_.end());
  fields_.erase(std::unique(fields_.begin(), fields_.end()), fields_.end());
  file_ = hdf5::createFile(path_);
  writeMetadata(metadata);
  hdf5::flush(file_, path_);
}

H5mdWriter H5mdWriter::resume(const std::string& path, std::int64_t lastStep) {
  if (!std::filesystem::exists(path)) throw InputError("trajectory " + path + " to continue does not exist");
  return hdf5::asInputError(path, [&] {
    H5mdWriter writer;
    writer.path_ = path;
    writer.file_ = hdf5::openFile(path, hdf5::Mode::readWrite);
    const hid_t file = writer.file_.get();
    if (!hdf5::exists(file, h5md::fieldsDataset)) throw RunError("this is not a trajectory written by mesowarp");
    for (const auto& name : hdf5::readTexts(file, h5md::fieldsDataset)) writer.fields_.push_back(trajectoryField(name));
    const bool isDouble = hdf5::readText(file, h5md::precisionDataset) == "double";
    writer.precision_ = isDouble ? StoredPrecision::double_ : StoredPrecision::single;
    if (hdf5::exists(file, h5md::particleGroup)) writer.openFrames();
    writer.truncate(lastStep);
    hdf5::flush(writer.file_, path);
    return writer;
  });
}

void H5mdWriter::openFrames() {
  const hid_t file = file_.get();
  step_ = hdf5::Series::open(file, h5md::stepDataset);
  time_ = hdf5::Series::open(file, h5md::timeDataset);
  edges_ = hdf5::Series::open(file, std::string(h5md::edgesGroup) + "/value");
  steps_ = hdf5::readDataset<std::int64_t>(file, h5md::stepDataset);
  times_ = hdf5::readDataset<double>(file, h5md::timeDataset);
  for (const auto field : fields_)
    if (!h5md::isConstant(field)) series_.push_back({field, hdf5::Series::open(file, h5md::valuePath(field))});
  for (const auto& entry : series_)
    if (entry.series.rowShape().size() != 2 || entry.series.rowShape()[1] != 3)
      throw RunError(h5md::valuePath(entry.field) + " does not have the shape [frames][N][3]");
  particles_ = series_.front().series.rowShape()[0];
}

// A run that died between two datasets leaves them of different lengths: only frames that all of them have count.
void H5mdWriter::truncate(std::int64_t lastStep) {
  if (series_.empty()) return;
  std::size_t frames = std::min({steps_.size(), times_.size(), static_cast<std::size_t>(edges_.rows())});
  for (const auto& entry : series_) frames = std::min<std::size_t>(frames, entry.series.rows());
  while (frames > 0 && steps_[frames - 1] > lastStep) --frames;
  steps_.resize(frames);
  times_.resize(frames);
  for (auto* series : {&step_, &time_, &edges_}) series->truncate(frames);
  for (auto& entry : series_) entry.series.truncate(frames);
}

void H5mdWriter::checkSnapshot(const Snapshot& snapshot) const {
  if (snapshot.step <= lastStep())
    throw RunError(fmt::format("{}: a frame of step {} after one of step {}", path_, snapshot.step, lastStep()));
  const std::size_t n = series_.empty() ? snapshot.position.size() / 3 : particles_;
  for (const auto field : fields_) {
    if (h5md::isConstant(field) && !series_.empty()) continue;
    const std::size_t expected = h5md::isConstant(field) ? n : 3 * n;
    if (sizeOf(snapshot, field) != expected)
      throw RunError(fmt::format("{}: the frame of step {} has {} numbers of {}, not {}", path_, snapshot.step,
                                 sizeOf(snapshot, field), nameOf(field), expected));
  }
}

// Values first and step last: a reader that counts steps never meets a frame whose values are missing.
void H5mdWriter::append(const Snapshot& snapshot) {
  checkSnapshot(snapshot);
  if (series_.empty()) createFrames(snapshot);
  for (auto& [field, series] : series_) {
    if (field == TrajectoryField::image)
      series.append(snapshot.image);
    else
      series.append(valuesOf(snapshot, field));
  }
  edges_.append(H5T_NATIVE_DOUBLE, snapshot.box.data());
  time_.append(H5T_NATIVE_DOUBLE, &snapshot.time);
  step_.append(H5T_NATIVE_INT64, &snapshot.step);
  hdf5::flush(file_, path_);
  steps_.push_back(snapshot.step);
  times_.push_back(snapshot.time);
}

void H5mdWriter::flush() {
  hdf5::flush(file_, path_);
  syncFile(path_);
}

}  // namespace mesowarp::io
