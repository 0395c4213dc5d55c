#include "io/frames/frame_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "core/error.hpp"
#include "io/files/file_system.hpp"
#include "io/hdf5/hdf5_driver.hpp"

namespace mesowarp::io {
namespace {

std::string fileName(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

FrameFile::FrameFile(const std::string& path, const std::vector<FrameGroup>& groups) : path_(path) { create(groups); }

void FrameFile::create(const std::vector<FrameGroup>& groups) {
  file_ = hdf5::createFile(path_);
  const hid_t file = file_.get();
  for (const FrameGroup& group : groups) {
    OpenGroup& opened = open_.emplace_back();
    opened.series.push_back(hdf5::Series::create(file, group.name + "/step", H5T_STD_I64LE, {}));
    opened.series.push_back(hdf5::Series::create(file, group.name + "/time", H5T_IEEE_F64LE, {}));
    for (const auto& values : group.values)
      opened.series.push_back(hdf5::Series::create(file, group.name + "/" + values.name, H5T_IEEE_F64LE, values.shape));
    for (const auto& constant : group.constants)
      hdf5::writeDataset(file, group.name + "/" + constant.name, constant.shape, constant.values);
  }
  hdf5::flush(file_, path_);
}

void FrameFile::open(const std::vector<FrameGroup>& groups, hdf5::Mode mode) {
  file_ = hdf5::openFile(path_, mode);
  const hid_t file = file_.get();
  for (const FrameGroup& group : groups) {
    OpenGroup& opened = open_.emplace_back();
    for (const char* name : {"/step", "/time"}) opened.series.push_back(hdf5::Series::open(file, group.name + name));
    for (const auto& values : group.values) {
      opened.series.push_back(hdf5::Series::open(file, group.name + "/" + values.name));
      if (opened.series.back().rowShape() != values.shape)
        throw RunError(fmt::format("its {}/{} is of other cells than the deck's", group.name, values.name));
    }
    for (const auto& constant : group.constants)
      if (hdf5::readDataset<std::int64_t>(file, group.name + "/" + constant.name) != constant.values)
        throw RunError(fmt::format("its {}/{} is of another mesh than the deck's", group.name, constant.name));
    opened.steps = hdf5::readDataset<std::int64_t>(file, group.name + "/step");
    opened.times = hdf5::readDataset<double>(file, group.name + "/time");
  }
}

// A run that died between two datasets leaves them of different lengths: only frames that all of them have count.
std::size_t FrameFile::framesUpTo(const OpenGroup& group, std::int64_t lastStep) {
  std::size_t frames = group.steps.size();
  for (const auto& series : group.series) frames = std::min<std::size_t>(frames, series.rows());
  while (frames > 0 && group.steps[frames - 1] > lastStep) --frames;
  return frames;
}

// What HDF5 drops it drops in place, so in a copy.
void FrameFile::cut(const std::vector<FrameGroup>& groups, std::int64_t lastStep) const {
  bool isCut = true;
  {
    FrameFile before(path_);
    before.open(groups, hdf5::Mode::read);
    for (const OpenGroup& group : before.open_)
      for (const auto& series : group.series) isCut = isCut && series.rows() == framesUpTo(group, lastStep);
  }
  if (isCut) return;
  hdf5::changeInCopy(path_, [&](const std::string& copy) {
    FrameFile shorter(copy);
    shorter.open(groups, hdf5::Mode::readWrite);
    for (OpenGroup& group : shorter.open_) {
      const std::size_t frames = framesUpTo(group, lastStep);
      for (auto& series : group.series) series.truncate(frames);
    }
    shorter.open_.clear();
    hdf5::close(std::move(shorter.file_), copy);
  });
}

EarlierOutput FrameFile::look(const std::string& path, const std::string& what, const std::vector<FrameGroup>& groups,
                              std::int64_t step, const FileMarks& marks) {
  const auto mark = marks.find(fileName(path));
  EarlierOutput earlier(path, step, mark == marks.end() ? nullptr : &mark->second, EarlierOutput::Growth::overwritten);
  if (earlier.state() == EarlierOutput::State::rows)
    withWayOut(path, what, [&] { FrameFile(path).open(groups, hdf5::Mode::read); });
  return earlier;
}

FrameFile FrameFile::resume(const std::string& path, const std::string& what, const std::vector<FrameGroup>& groups,
                            std::int64_t lastStep, const EarlierOutput& earlier) {
  FrameFile resumed(path);
  withWayOut(path, what, [&] {
    using State = EarlierOutput::State;
    if (earlier.state() == State::exact)
      earlier.rollBack();
    else
      earlier.giveUp();
    if (earlier.state() == State::absent) return resumed.create(groups);
    if (earlier.state() == State::rows) resumed.cut(groups, lastStep);
    resumed.open(groups, hdf5::Mode::readWrite);
    UndoBase base = earlier.base();
    if (earlier.state() == State::rows) base.mark = markOf(path);
    hdf5::keepUndo(resumed.file_.get(), UndoJournal(path, base));
  });
  return resumed;
}

// Values first and step last: a reader that counts steps never meets a frame whose values are missing.
void FrameFile::append(std::size_t group, std::int64_t step, double time,
                       const std::vector<std::vector<double>>& values) {
  OpenGroup& to = open_[group];
  if (values.size() + 2 != to.series.size()) throw RunError(path_ + ": a frame of other values");
  for (std::size_t k = 0; k < values.size(); ++k) to.series[k + 2].append(values[k]);
  to.series[1].append(H5T_NATIVE_DOUBLE, &time);
  to.series[0].append(H5T_NATIVE_INT64, &step);
  hdf5::flush(file_, path_);
  to.steps.push_back(step), to.times.push_back(time);
}

void FrameFile::flush() {
  hdf5::flush(file_, path_);
  syncFile(path_);
}

void FrameFile::mark(std::int64_t step, FileMarks& marks) { marks[fileName(path_)] = hdf5::mark(file_, path_, step); }

}  // namespace mesowarp::io
