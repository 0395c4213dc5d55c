// Reads trajectories that mesowarp wrote, frame by frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/h5md/h5md.hpp"

namespace mesowarp::io {

class H5mdReader {
public:
  // Throws InputError if the file is missing, damaged or not a trajectory of mesowarp.
  explicit H5mdReader(const std::string& path);

  const std::string& path() const { return path_; }
  std::size_t frames() const { return steps_.size(); }
  std::size_t particles() const { return particles_; }
  const std::vector<std::int64_t>& steps() const { return steps_; }
  const std::vector<double>& times() const { return times_; }
  const std::vector<std::string>& speciesNames() const { return speciesNames_; }
  const std::string& deck() const { return deck_; }
  // By id, the tag of the run, of a trajectory of some groups alone; else empty: they are the same.
  const std::vector<std::uint32_t>& runTags() const { return runTags_; }
  StoredPrecision precision() const { return precision_; }

  // A frame with whatever the file holds of it; fields it lacks are empty, but tag and species are always filled
  // (0, 1, 2, … and 0 if absent). Throws InputError if the frame does not exist or cannot be read.
  Snapshot read(std::size_t frame) const;

private:
  void open();
  void readConstants();
  std::vector<double> readReals(TrajectoryField field, std::size_t frame) const;

  std::string path_;
  std::size_t particles_ = 0;
  std::vector<std::int64_t> steps_;
  std::vector<double> times_;
  std::vector<std::string> speciesNames_;
  std::string deck_;
  std::vector<std::uint32_t> runTags_;
  StoredPrecision precision_ = StoredPrecision::single;
  Snapshot constant_;  // what does not change over time
  hdf5::File file_;
};

}  // namespace mesowarp::io
