// Trajectories in H5MD 1.1 (de Buyl, Colberg, Hoefling, Comput. Phys. Commun. 185 (2014) 1546): one HDF5 file,
// /particles/all with position, velocity, … over time, /connectivity/bonds, the resolved deck at /parameters/deck.
// Read by MDAnalysis (convert_units=False), h5py and, through the XDMF side file, ParaView.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/undo_journal.hpp"
#include "io/h5md/snapshot.hpp"
#include "io/hdf5/hdf5_places.hpp"
#include "io/hdf5/hdf5_series.hpp"

namespace mesowarp::comm {
class Communicator;
}

namespace mesowarp::io {

std::string_view nameOf(TrajectoryField field);
// Throws InputError that lists the valid names.
TrajectoryField trajectoryField(const std::string& name);

enum class StoredPrecision { single, double_ };

struct H5mdMetadata {
  std::string creatorVersion;
  std::string author;  // empty: the login name
  std::string deck;    // resolved deck, TOML
  std::vector<std::string> speciesNames;
  std::vector<std::string> solutes{};  // whose concentrations particles have
};

// With a communicator of several ranks they write one file together: construction, resume(), append(), mark(), flush()
// and destruction are then collective, and what fails on one rank is thrown on all. The root alone has the file open as
// HDF5; all write their rows at the places it names (hdf5_places.hpp). The communicator must outlive the writer.
class H5mdWriter {
public:
  // Creates or replaces the file. Position is always stored. Throws RunError.
  H5mdWriter(const std::string& path, const H5mdMetadata& metadata, std::vector<TrajectoryField> fields,
             StoredPrecision precision, const comm::Communicator* ranks = nullptr);

  // Opens the file of an earlier run, drops the frames of steps after lastStep and continues behind the rest, with the
  // fields and the precision it has. Frames are dropped in a copy, which replaces the file at once. undo: the journal
  // that is kept from now on, if any (the mark of one with dropped frames is made here). Throws InputError if the file
  // is missing or no trajectory of mesowarp.
  static H5mdWriter resume(const std::string& path, std::int64_t lastStep, const comm::Communicator* ranks = nullptr,
                           const std::optional<UndoBase>& undo = std::nullopt);
  // Throws the InputError that resume() would, and changes nothing. By one process.
  static void checkResume(const std::string& path, bool bySeveral);
  // Throws InputError if the file can be read and several ranks could not go on with it: one process of an earlier
  // version began it. One that is yet to be rolled back may be unreadable.
  static void checkForSeveral(const std::string& path);

  // Adds a frame; its step must be above lastStep(), its particles as many as in the frames before. What the first
  // frame lacks although its field was asked for is a RunError. The file is complete on return (for other processes;
  // flush() makes sure of the disk). Each of several ranks gives a part of the frame, in order of ranks; step, time and
  // box are the root's.
  void append(const Snapshot& snapshot);
  // Behind the first frame, of a trajectory of a part of the particles: their numbers in the run, as particles/all/tag.
  void writeTags(const std::vector<std::uint32_t>& tags);
  void flush();
  // For a checkpoint of this step: as hdf5::mark(), on the root; others get an empty mark.
  FileMark mark(std::int64_t step);

  const std::string& path() const { return path_; }
  std::size_t frames() const { return steps_.size(); }
  std::size_t particles() const { return particles_; }
  std::int64_t lastStep() const { return steps_.empty() ? -1 : steps_.back(); }
  const std::vector<std::int64_t>& steps() const { return steps_; }
  const std::vector<double>& times() const { return times_; }
  bool has(TrajectoryField field) const;
  StoredPrecision precision() const { return precision_; }
  const std::vector<std::string>& solutes() const { return solutes_; }  // on the root
  const comm::Communicator* ranks() const { return ranks_; }            // nullptr: one process
  // On the root, of what the file has: pairs in /connectivity/bonds; edges of the box in a frame, length.
  std::size_t bonds() const;
  std::array<double, 3> boxOf(std::size_t frame) const;
  // Likewise, of a sheared box: the axis of its gradient, -1 of any other box, and Snapshot::slide of a frame, length.
  int gradient() const;
  std::array<double, 3> slideOf(std::size_t frame) const;

private:
  struct FrameSeries {
    TrajectoryField field;
    hdf5::Series series;
  };

  H5mdWriter() = default;
  bool root() const;
  void writeMetadata(const H5mdMetadata& metadata);
  void createFrames(const Snapshot& first);
  void createSeries(const Snapshot& first);
  void writeConstants(const Snapshot& first);
  void open(hdf5::Mode mode);
  void openFrames();
  std::size_t framesUpTo(std::int64_t lastStep) const;
  bool isCutAt(std::size_t frames) const;
  void truncate(std::size_t frames);
  void shareState();
  template <class T>
  void writeConstant(const std::string& path, hsize_t width, const std::vector<T>& data);
  void appendRows(FrameSeries& entry, const Snapshot& snapshot);
  void checkSnapshot(const Snapshot& snapshot) const;
  void checkParts(const Snapshot& snapshot) const;
  void reserveRoom(const Snapshot& snapshot) const;

  std::string path_;
  const comm::Communicator* ranks_ = nullptr;
  std::size_t widthOf(TrajectoryField field) const;

  std::vector<TrajectoryField> fields_;
  std::vector<std::string> solutes_;
  std::size_t soluteCount_ = 0;
  StoredPrecision precision_ = StoredPrecision::single;
  std::size_t particles_ = 0;
  std::vector<std::int64_t> steps_;
  std::vector<double> times_;
  hdf5::File file_;  // declared before what lives in it, so closed last
  hdf5::Series step_, time_, edges_;
  std::optional<hdf5::Series> slide_;         // of a sheared box
  std::vector<FrameSeries> series_;           // on the root; others have the fields alone
  std::unique_ptr<hdf5::SharedFile> shared_;  // of several ranks
};

}  // namespace mesowarp::io
