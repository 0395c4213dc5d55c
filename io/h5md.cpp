#include "io/h5md.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "io/h5md_layout.hpp"

namespace mesowarp::io {

bool H5mdWriter::has(TrajectoryField field) const {
  return std::find(fields_.begin(), fields_.end(), field) != fields_.end();
}

H5mdWriter::H5mdWriter(const std::string& path, const H5mdMetadata& metadata, std::vector<TrajectoryField> fields,
                       StoredPrecision precision, const comm::Communicator* ranks)
    : path_(path), ranks_(several(ranks)), fields_(std::move(fields)), precision_(precision) {
  if (!has(TrajectoryField::position)) fields_.push_back(TrajectoryField::position);
  std::sort(fields_.begin(), fields_.end());
  fields_.erase(std::unique(fields_.begin(), fields_.end()), fields_.end());
  onRoot(ranks_, [&] {
    file_ = hdf5::createFile(path_);
    writeMetadata(metadata);
    hdf5::flush(file_, path_);
    if (ranks_) hdf5::close(std::move(file_), path_);
  });
  if (ranks_) file_ = hdf5::openFile(path_, hdf5::Mode::readWrite, ranks_);
}

// Of several ranks the root alone drops frames, before all open the file.
H5mdWriter H5mdWriter::resume(const std::string& path, std::int64_t lastStep, const comm::Communicator* ranks) {
  H5mdWriter writer;
  onRoot(ranks, [&] {
    if (!std::filesystem::exists(path)) throw InputError("trajectory " + path + " to continue does not exist");
    H5mdWriter alone;
    alone.path_ = path;
    hdf5::asInputError(path, [&] {
      alone.open();
      if (several(ranks))
        for (const auto& entry : alone.series_)
          if (!entry.series.placesRowsEarly())
            throw RunError("one process of an earlier version began this trajectory, in a way that several cannot go on with: resume "
                           "on one rank, or take the [[output]] with format = \"trajectory\" out of the deck");
      alone.truncate(lastStep);
      hdf5::flush(alone.file_, path);
    });
    if (!several(ranks)) writer = std::move(alone);
  });
  if (!several(ranks)) return writer;
  writer.path_ = path;
  writer.ranks_ = ranks;
  hdf5::asInputError(path, [&] { writer.open(); });
  return writer;
}

void H5mdWriter::open() {
  file_ = hdf5::openFile(path_, hdf5::Mode::readWrite, ranks_);
  const hid_t file = file_.get();
  onAll(ranks_, [&] {
    if (!hdf5::exists(file, h5md::fieldsDataset)) throw RunError("this is not a trajectory written by mesowarp");
    for (const auto& name : hdf5::readTexts(file, h5md::fieldsDataset)) fields_.push_back(trajectoryField(name));
    const bool isDouble = hdf5::readText(file, h5md::precisionDataset) == "double";
    precision_ = isDouble ? StoredPrecision::double_ : StoredPrecision::single;
    if (hdf5::exists(file, h5md::particleGroup)) openFrames();
  });
}

void H5mdWriter::openFrames() {
  const hid_t file = file_.get();
  step_ = hdf5::Series::open(file, h5md::stepDataset, ranks_);
  time_ = hdf5::Series::open(file, h5md::timeDataset, ranks_);
  edges_ = hdf5::Series::open(file, std::string(h5md::edgesGroup) + "/value", ranks_);
  steps_ = hdf5::readDataset<std::int64_t>(file, h5md::stepDataset);
  times_ = hdf5::readDataset<double>(file, h5md::timeDataset);
  for (const auto field : fields_)
    if (!h5md::isConstant(field)) series_.push_back({field, hdf5::Series::open(file, h5md::valuePath(field), ranks_)});
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

}  // namespace mesowarp::io
