#include "io/h5md/h5md.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/error.hpp"
#include "io/h5md/h5md_layout.hpp"

namespace mesowarp::io {
namespace {

std::array<double, 3> threeOf(const hdf5::Series& series, std::size_t frame) {
  const auto row = series.read<double>(frame);
  return {row.at(0), row.at(1), row.at(2)};
}

}  // namespace

bool H5mdWriter::has(TrajectoryField field) const {
  return std::find(fields_.begin(), fields_.end(), field) != fields_.end();
}

H5mdWriter::H5mdWriter(const std::string& path, const H5mdMetadata& metadata, std::vector<TrajectoryField> fields,
                       StoredPrecision precision, const comm::Communicator* ranks)
    : path_(path), ranks_(several(ranks)), fields_(std::move(fields)), solutes_(metadata.solutes),
      soluteCount_(metadata.solutes.size()), precision_(precision) {
  if (!has(TrajectoryField::position)) fields_.push_back(TrajectoryField::position);
  std::sort(fields_.begin(), fields_.end());
  fields_.erase(std::unique(fields_.begin(), fields_.end()), fields_.end());
  onRoot(ranks_, [&] {
    file_ = hdf5::createFile(path_);
    writeMetadata(metadata);
    hdf5::flush(file_, path_);
  });
  if (ranks_) shared_ = std::make_unique<hdf5::SharedFile>(path_, *ranks_);
}

std::size_t H5mdWriter::widthOf(TrajectoryField field) const {
  return field == TrajectoryField::concentration ? soluteCount_ : 3;
}

bool H5mdWriter::root() const { return !ranks_ || ranks_->root(); }

void H5mdWriter::open(hdf5::Mode mode) {
  file_ = hdf5::openFile(path_, mode);
  const hid_t file = file_.get();
  if (!hdf5::exists(file, h5md::fieldsDataset)) throw RunError("this is not a trajectory written by mesowarp");
  for (const auto& name : hdf5::readTexts(file, h5md::fieldsDataset)) fields_.push_back(trajectoryField(name));
  if (hdf5::exists(file, h5md::solutesDataset)) solutes_ = hdf5::readTexts(file, h5md::solutesDataset);
  soluteCount_ = solutes_.size();
  const bool isDouble = hdf5::readText(file, h5md::precisionDataset) == "double";
  precision_ = isDouble ? StoredPrecision::double_ : StoredPrecision::single;
  if (hdf5::exists(file, h5md::particleGroup)) openFrames();
}

void H5mdWriter::openFrames() {
  const hid_t file = file_.get();
  step_ = hdf5::Series::open(file, h5md::stepDataset);
  time_ = hdf5::Series::open(file, h5md::timeDataset);
  edges_ = hdf5::Series::open(file, std::string(h5md::edgesGroup) + "/value");
  if (hdf5::exists(file, h5md::slideGroup)) slide_ = hdf5::Series::open(file, std::string(h5md::slideGroup) + "/value");
  steps_ = hdf5::readDataset<std::int64_t>(file, h5md::stepDataset);
  times_ = hdf5::readDataset<double>(file, h5md::timeDataset);
  for (const auto field : fields_)
    if (!h5md::isConstant(field)) series_.push_back({field, hdf5::Series::open(file, h5md::valuePath(field))});
  for (const auto& entry : series_)
    if (entry.series.rowShape().size() != 2 || entry.series.rowShape()[1] != widthOf(entry.field))
      throw RunError(fmt::format("{} does not have the shape [frames][N][{}]", h5md::valuePath(entry.field),
                                 widthOf(entry.field)));
  particles_ = series_.front().series.rowShape()[0];
}

std::size_t H5mdWriter::bonds() const {
  return hdf5::exists(file_.get(), h5md::bondDataset)
             ? static_cast<std::size_t>(hdf5::shapeOf(file_.get(), h5md::bondDataset).front())
             : 0;
}

std::array<double, 3> H5mdWriter::boxOf(std::size_t frame) const { return threeOf(edges_, frame); }

int H5mdWriter::gradient() const { return slide_ ? h5md::readGradient(file_.get()) : -1; }

std::array<double, 3> H5mdWriter::slideOf(std::size_t frame) const {
  return slide_ ? threeOf(*slide_, frame) : std::array<double, 3>{};
}

}  // namespace mesowarp::io
