// Frames of a trajectory, by one process or by several ranks, each with a part of the particles.
#include <filesystem>
#include <fmt/format.h>

#include "core/error.hpp"
#include "io/files/file_system.hpp"
#include "io/h5md/h5md.hpp"
#include "io/h5md/h5md_layout.hpp"
#include "io/hdf5/hdf5_driver.hpp"

namespace mesowarp::io {

namespace {

const std::vector<double>& valuesOf(const Snapshot& snapshot, TrajectoryField field) {
  if (field == TrajectoryField::velocity) return snapshot.velocity;
  if (field == TrajectoryField::force) return snapshot.force;
  if (field == TrajectoryField::concentration) return snapshot.concentration;
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

// What a frame's own rank can see.
void H5mdWriter::checkSnapshot(const Snapshot& snapshot) const {
  if (snapshot.step <= lastStep())
    throw RunError(fmt::format("{}: a frame of step {} after one of step {}", path_, snapshot.step, lastStep()));
  const std::size_t n = series_.empty() || ranks_ ? snapshot.position.size() / 3 : particles_;
  for (const auto field : fields_) {
    if (h5md::isConstant(field) && !series_.empty()) continue;
    const std::size_t expected = h5md::isConstant(field) ? n : widthOf(field) * n;
    if (sizeOf(snapshot, field) != expected)
      throw RunError(fmt::format("{}: the frame of step {} has {} numbers of {}, not {}", path_, snapshot.step,
                                 sizeOf(snapshot, field), nameOf(field), expected));
  }
}

// Collective: that the parts follow each other, and make up as many particles as ever.
void H5mdWriter::checkParts(const Snapshot& snapshot) const {
  const auto n = static_cast<std::int64_t>(snapshot.position.size() / 3);
  const RowShare share = shareOf(ranks_, n);
  const std::int64_t step = ranks_ ? ranks_->largest(snapshot.step) : snapshot.step;
  onAll(ranks_, [&] {
    if (snapshot.first != share.first || (snapshot.total < 0 ? n : snapshot.total) != share.total)
      throw RunError(fmt::format("{}: the frame of step {} has particles {} to {} of {} where {} to {} of {} belong",
                                 path_, snapshot.step, snapshot.first, snapshot.first + n, snapshot.total, share.first,
                                 share.first + n, share.total));
    if (step != snapshot.step)
      throw RunError(fmt::format("{}: frames of steps {} and {} at once", path_, snapshot.step, step));
    if (!series_.empty() && share.total != static_cast<std::int64_t>(particles_))
      throw RunError(fmt::format("{}: the frame of step {} has {} particles, that of step {} had {}", path_,
                                 snapshot.step, share.total, lastStep(), particles_));
  });
}

// MPI-IO survives failing writes badly. So a disk is asked for room first: for the frame, and what describes it.
void H5mdWriter::reserveRoom(const Snapshot& snapshot) const {
  if (!ranks_) return;
  const auto total = static_cast<std::uint64_t>(snapshot.total);
  const std::size_t words =
      snapshot.bonds.size() + snapshot.angles.size() + snapshot.dihedrals.size() + snapshot.molecule.size();
  const auto constants = static_cast<std::uint64_t>(shareOf(ranks_, static_cast<std::int64_t>(words)).total);
  onRoot(ranks_, [&] {
    std::uint64_t bytes = std::uint64_t{4} << 20;
    for (const auto field : fields_)
      bytes += (std::uint64_t{1} << 20) +
               total * (h5md::isConstant(field) ? series_.empty() * sizeof(double) : widthOf(field) * sizeof(double));
    if (series_.empty()) bytes += constants * sizeof(std::uint32_t);
    reserve(path_, std::filesystem::file_size(path_) + bytes + bytes / 64);
  });
}

// By one process through HDF5; several write where the root says, which it lays down before.
void H5mdWriter::appendRows(FrameSeries& entry, const Snapshot& snapshot) {
  const bool isImage = entry.field == TrajectoryField::image;
  const hid_t type = isImage ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
  const hid_t real = precision_ == StoredPrecision::double_ ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
  const void* data = isImage ? static_cast<const void*>(snapshot.image.data()) : valuesOf(snapshot, entry.field).data();
  if (!ranks_) return entry.series.append(type, data);
  hdf5::Places places;
  onRoot(ranks_, [&] {
    places = entry.series.appendElsewhere();
    hdf5::aboutToOverwrite(file_.get(), places, particles_);
    hdf5::requireWritten(file_, path_);
  });
  shared_->write(std::move(places), static_cast<std::uint64_t>(snapshot.first),
                 sizeOf(snapshot, entry.field) / widthOf(entry.field), type, isImage ? H5T_STD_I32LE : real, data);
}

// Values first and step last: a reader that counts steps never meets a frame whose values are missing.
void H5mdWriter::append(const Snapshot& snapshot) {
  onAll(ranks_, [&] { checkSnapshot(snapshot); });
  checkParts(snapshot);
  reserveRoom(snapshot);
  if (series_.empty()) createFrames(snapshot);
  for (auto& entry : series_) appendRows(entry, snapshot);
  onRoot(ranks_, [&] {
    edges_.append(H5T_NATIVE_DOUBLE, snapshot.box.data());
    if (slide_) slide_->append(H5T_NATIVE_DOUBLE, snapshot.slide.data());
    time_.append(H5T_NATIVE_DOUBLE, &snapshot.time);
    step_.append(H5T_NATIVE_INT64, &snapshot.step);
    hdf5::flush(file_, path_);
  });
  steps_.push_back(fromRoot(ranks_, snapshot.step));
  double time = snapshot.time;
  broadcast(ranks_, &time, sizeof(time));
  times_.push_back(time);
}

void H5mdWriter::flush() {
  if (shared_) shared_->sync();
  onRoot(ranks_, [&] {
    hdf5::flush(file_, path_);
    syncFile(path_);
  });
}

FileMark H5mdWriter::mark(std::int64_t step) {
  FileMark mark;
  if (shared_) shared_->sync();
  onRoot(ranks_, [&] { mark = hdf5::mark(file_, path_, step); });
  return mark;
}

}  // namespace mesowarp::io
