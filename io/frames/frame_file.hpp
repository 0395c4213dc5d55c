// Numbers over time in one HDF5 file, by one process: groups, each with step, time and datasets [frames][...], and
// with datasets that are written once. It is complete after each append(), and comes back to what it was at a
// checkpoint (io/files/earlier_output.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/files/earlier_output.hpp"
#include "io/hdf5/hdf5_series.hpp"

namespace mesowarp::io {

struct FrameGroup {
  struct Values {
    std::string name;
    hdf5::Shape shape;  // of a frame
  };
  struct Constant {
    std::string name;
    hdf5::Shape shape;
    std::vector<std::int64_t> values;
  };
  std::string name;
  std::vector<Values> values;
  std::vector<Constant> constants;
};

class FrameFile {
public:
  // Creates or replaces the file. Throws RunError.
  FrameFile(const std::string& path, const std::vector<FrameGroup>& groups);

  // What an earlier run left; what: the file in a word. Throws InputError.
  static EarlierOutput look(const std::string& path, const std::string& what, const std::vector<FrameGroup>& groups,
                            std::int64_t step, const FileMarks& marks);
  // Goes on behind the frames up to lastStep.
  static FrameFile resume(const std::string& path, const std::string& what, const std::vector<FrameGroup>& groups,
                          std::int64_t lastStep, const EarlierOutput& earlier);

  // values: those of the group's, in their order.
  void append(std::size_t group, std::int64_t step, double time, const std::vector<std::vector<double>>& values);
  const std::vector<std::int64_t>& steps(std::size_t group) const { return open_[group].steps; }
  const std::vector<double>& times(std::size_t group) const { return open_[group].times; }
  std::int64_t lastStep(std::size_t group) const { return steps(group).empty() ? -1 : steps(group).back(); }
  void flush();
  void mark(std::int64_t step, FileMarks& marks);

private:
  struct OpenGroup {
    std::vector<hdf5::Series> series;  // step, time, the values
    std::vector<std::int64_t> steps;
    std::vector<double> times;
  };

  explicit FrameFile(const std::string& path) : path_(path) {}
  void create(const std::vector<FrameGroup>& groups);
  void open(const std::vector<FrameGroup>& groups, hdf5::Mode mode);
  void cut(const std::vector<FrameGroup>& groups, std::int64_t lastStep) const;
  static std::size_t framesUpTo(const OpenGroup& group, std::int64_t lastStep);

  std::string path_;
  hdf5::File file_;  // declared before what lives in it, so closed last
  std::vector<OpenGroup> open_;
};

}  // namespace mesowarp::io
