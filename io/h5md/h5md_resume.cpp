// A trajectory of an earlier run, gone on with.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/error.hpp"
#include "io/files/earlier_output.hpp"
#include "io/files/file_system.hpp"
#include "io/h5md/h5md.hpp"
#include "io/h5md/h5md_layout.hpp"
#include "io/hdf5/hdf5_driver.hpp"

namespace mesowarp::io {

// A run that died between two datasets leaves them of different lengths: only frames that all of them have count.
std::size_t H5mdWriter::framesUpTo(std::int64_t lastStep) const {
  if (series_.empty()) return 0;
  std::size_t frames = std::min({steps_.size(), times_.size(), static_cast<std::size_t>(edges_.rows())});
  if (slide_) frames = std::min<std::size_t>(frames, slide_->rows());
  for (const auto& entry : series_) frames = std::min<std::size_t>(frames, entry.series.rows());
  while (frames > 0 && steps_[frames - 1] > lastStep) --frames;
  return frames;
}

bool H5mdWriter::isCutAt(std::size_t frames) const {
  if (series_.empty()) return true;
  return steps_.size() == frames && times_.size() == frames && edges_.rows() == frames &&
         (!slide_ || slide_->rows() == frames) &&
         std::all_of(series_.begin(), series_.end(), [&](const auto& entry) { return entry.series.rows() == frames; });
}

void H5mdWriter::truncate(std::size_t frames) {
  if (series_.empty()) return;
  for (auto* series : {&step_, &time_, &edges_}) series->truncate(frames);
  if (slide_) slide_->truncate(frames);
  for (auto& entry : series_) entry.series.truncate(frames);
}

void H5mdWriter::checkResume(const std::string& path, bool bySeveral) {
  if (!std::filesystem::exists(path)) throw InputError("trajectory " + path + " to continue does not exist");
  withWayOut(path, "trajectory", [&] {
    H5mdWriter writer;
    writer.path_ = path;
    writer.open(hdf5::Mode::read);
  });
  if (bySeveral) checkForSeveral(path);
}

void H5mdWriter::checkForSeveral(const std::string& path) {
  H5mdWriter writer;
  writer.path_ = path;
  try {
    writer.open(hdf5::Mode::read);
  } catch (const std::exception&) {
    return;
  }
  for (const auto& entry : writer.series_)
    if (!entry.series.placesRowsEarly())
      throw InputError(path +
                       ": one process of an earlier version began this trajectory, in a way that several cannot go on "
                       "with: resume on one rank, or take the [[output]] with format = \"trajectory\" out of the deck");
}

// What HDF5 drops it drops in place, so in a copy.
H5mdWriter H5mdWriter::resume(const std::string& path, std::int64_t lastStep, const comm::Communicator* ranks,
                              const std::optional<UndoBase>& undo) {
  H5mdWriter writer;
  writer.path_ = path;
  writer.ranks_ = several(ranks);
  onRoot(ranks, [&] {
    checkResume(path, several(ranks) != nullptr);
    withWayOut(path, "trajectory", [&] {
      std::optional<UndoBase> base = undo;
      {
        H5mdWriter before;
        before.path_ = path;
        before.open(hdf5::Mode::read);
        const std::size_t frames = before.framesUpTo(lastStep);
        if (!before.isCutAt(frames)) {
          hdf5::changeInCopy(path, [&](const std::string& copy) {
            H5mdWriter shorter;
            shorter.path_ = copy;
            shorter.open(hdf5::Mode::readWrite);
            shorter.truncate(frames);
            hdf5::close(std::move(shorter.file_), copy);
          });
          if (base) base->isRebuilt = true;
        }
      }
      if (base && base->isRebuilt) base->mark = markOf(path);
      H5mdWriter opened;
      opened.path_ = path;
      opened.open(hdf5::Mode::readWrite);
      if (base) hdf5::keepUndo(opened.file_.get(), UndoJournal(path, *base));
      opened.ranks_ = several(ranks);
      writer = std::move(opened);
    });
  });
  if (several(ranks)) writer.shareState();
  return writer;
}

// What the root has read, on all ranks.
void H5mdWriter::shareState() {
  const auto shared = [&](auto& values) {
    values.resize(fromRoot(ranks_, static_cast<std::uint64_t>(values.size())));
    broadcast(ranks_, values.data(), values.size() * sizeof(values[0]));
  };
  shared(fields_), shared(steps_), shared(times_);
  precision_ = static_cast<StoredPrecision>(fromRoot(ranks_, static_cast<std::int64_t>(precision_)));
  particles_ = fromRoot(ranks_, static_cast<std::uint64_t>(particles_));
  soluteCount_ = fromRoot(ranks_, static_cast<std::uint64_t>(soluteCount_));
  const bool hasFrames = fromRoot(ranks_, std::int64_t{!series_.empty()}) != 0;
  if (hasFrames && !root())
    for (const auto field : fields_)
      if (!h5md::isConstant(field)) series_.push_back({field, {}});
  shared_ = std::make_unique<hdf5::SharedFile>(path_, *ranks_);
}

}  // namespace mesowarp::io
