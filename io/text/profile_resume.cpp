// Profiles of an earlier run, gone on with.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

#include "core/error.hpp"
#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5_driver.hpp"
#include "io/text/profile_layout.hpp"

namespace mesowarp::io {

using namespace profile;

namespace {

const FileMark* markIn(const FileMarks& marks, const std::string& path) {
  const auto found = marks.find(std::filesystem::path(path).filename().string());
  return found == marks.end() ? nullptr : &found->second;
}

}  // namespace

void ProfileWriter::openSeries() {
  const hid_t file = file_.get();
  for (const auto& entry : stepSeries) series_.push_back(hdf5::Series::open(file, entry.name));
  for (const auto& entry : binSeriesOf(layout_.quantities)) series_.push_back(hdf5::Series::open(file, entry.name));
  bins_ = hdf5::elementCount(file, coordinateDataset);
}

void ProfileWriter::open(hdf5::Mode mode) {
  file_ = hdf5::openFile(path_, mode);
  if (hdf5::exists(file_.get(), coordinateDataset)) openSeries();
}

// A run that died between two datasets leaves them of different lengths: only blocks that all of them have count.
std::size_t ProfileWriter::blocksUpTo(std::int64_t lastStep) const {
  if (series_.empty()) return 0;
  const auto ends = hdf5::readDataset<std::int64_t>(file_.get(), "last_step");
  std::size_t blocks = ends.size();
  for (const auto& series : series_) blocks = std::min<std::size_t>(blocks, series.rows());
  while (blocks > 0 && ends[blocks - 1] > lastStep) --blocks;
  return blocks;
}

bool ProfileWriter::isCutAt(std::size_t blocks) const {
  return std::all_of(series_.begin(), series_.end(), [&](const auto& series) { return series.rows() == blocks; });
}

// What HDF5 drops it drops in place, so in a copy.
void ProfileWriter::cut(std::int64_t lastStep) {
  ProfileWriter before;
  before.path_ = path_, before.layout_ = layout_;
  before.open(hdf5::Mode::read);
  const std::size_t blocks = before.blocksUpTo(lastStep);
  if (before.isCutAt(blocks)) return;
  hdf5::changeInCopy(path_, [&](const std::string& copy) {
    ProfileWriter shorter;
    shorter.path_ = copy, shorter.layout_ = layout_;
    shorter.open(hdf5::Mode::readWrite);
    for (auto& series : shorter.series_) series.truncate(blocks);
    hdf5::close(std::move(shorter.file_), copy);
  });
}

ProfileWriter::Earlier ProfileWriter::look(const std::string& directory, const std::string& name,
                                           const ProfileLayout& layout, std::size_t bins, std::int64_t step,
                                           const FileMarks& marks) {
  const std::string csv = csvPath(directory, name), path = hdf5Path(directory, name);
  const Earlier earlier{{csv, step, markIn(marks, csv), EarlierOutput::Growth::appended},
                        {path, step, markIn(marks, path), EarlierOutput::Growth::overwritten}};
  if (earlier.csv.state() != EarlierOutput::State::absent) CsvFile::requireColumns(csv, csvColumnsOf(layout));
  if (earlier.hdf5.state() == EarlierOutput::State::rows)
    withWayOut(path, "profile", [&] {
      ProfileWriter writer;
      writer.path_ = path, writer.layout_ = layout;
      writer.open(hdf5::Mode::read);
      if (!writer.series_.empty() && writer.bins_ != bins)
        throw RunError(fmt::format("it has {} bins, the deck's [[measure]] has {}", writer.bins_, bins));
    });
  return earlier;
}

void ProfileWriter::resumeCsv(const std::string& path, std::int64_t lastStep, const EarlierOutput& earlier) {
  csvPath_ = path;
  const auto columns = csvColumnsOf(layout_);
  if (earlier.state() == EarlierOutput::State::absent) {
    earlier.giveUp();
    csv_ = CsvFile::create(path, columns);
  } else if (earlier.state() == EarlierOutput::State::exact) {
    earlier.rollBack();
    csv_ = CsvFile::reopen(path, columns);
  } else {
    csv_ = CsvFile::resume(path, columns, lastStepColumn, lastStep);
  }
  const std::string& row = csv_.lastRow();  // begins with its block
  if (std::size_t last = 0; std::from_chars(row.data(), row.data() + row.size(), last).ec == std::errc())
    blocks_ = last + 1;
}

void ProfileWriter::resumeHdf5(std::int64_t lastStep, const EarlierOutput& earlier) {
  if (earlier.state() == EarlierOutput::State::absent) {
    earlier.giveUp();
    file_ = hdf5::createFile(path_);
    return hdf5::flush(file_, path_);
  }
  if (earlier.state() == EarlierOutput::State::exact) {
    earlier.rollBack();
  } else {
    earlier.giveUp();
    cut(lastStep);
  }
  open(hdf5::Mode::readWrite);
  UndoBase base = earlier.base();
  if (earlier.state() == EarlierOutput::State::rows) base.mark = markOf(path_);
  hdf5::keepUndo(file_.get(), UndoJournal(path_, base));
  blocks_ = std::max<std::size_t>(blocks_, series_.empty() ? 0 : series_.front().rows());
}

ProfileWriter ProfileWriter::resume(const std::string& directory, const std::string& name, const ProfileLayout& layout,
                                    std::int64_t lastStep, const Earlier& earlier) {
  ProfileWriter writer;
  writer.layout_ = layout;
  writer.path_ = hdf5Path(directory, name);
  writer.resumeCsv(csvPath(directory, name), lastStep, earlier.csv);
  withWayOut(writer.path_, "profile", [&] { writer.resumeHdf5(lastStep, earlier.hdf5); });
  return writer;
}

void ProfileWriter::flush() {
  syncFile(csvPath_);
  hdf5::flush(file_, path_);
  syncFile(path_);
}

void ProfileWriter::mark(std::int64_t step, FileMarks& marks) {
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  marks[name(csvPath_)] = csv_.mark();
  marks[name(path_)] = hdf5::mark(file_, path_, step);
}

}  // namespace mesowarp::io
