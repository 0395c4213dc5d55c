// Profiles along an axis, averaged over blocks of time: NAME.csv (one row per bin and block) and NAME.h5 (blocks x
// bins).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "io/files/earlier_output.hpp"
#include "io/hdf5/hdf5_series.hpp"
#include "io/text/csv_file.hpp"

namespace mesowarp::io {

// B bins. What is not written may be empty; so may errors (standard errors of the mean) that are not known.
struct ProfileBlock {
  std::int64_t firstStep = 0;  // of the samples averaged over, both included
  std::int64_t lastStep = 0;
  std::int64_t samples = 0;
  int axis = 0;                          // 0, 1, 2: x, y, z; of shells: of the cylinder, of the sphere's angles
  std::vector<double> coordinate;        // B, middles of bins, of shells distances from the axis or point, length
  std::vector<double> count;             // B, mean number of particles
  std::vector<double> density;           // B, number density, 1/length^3
  std::vector<double> velocity;          // 3B, xyz of a bin together; NaN where no particle was
  std::vector<double> temperature;       // B, energy; NaN where no particle was
  std::vector<double> densityError;      // B or empty
  std::vector<double> velocityError;     // 3B or empty
  std::vector<double> temperatureError;  // B or empty
  // Of what particles carry beside, B each: means over particles, and their errors or nothing.
  std::vector<std::vector<double>> further, furtherError;
};

// Which of density, velocity and temperature files have, beside the number of particles; other names are those of a
// block's `further`, in their order. Components of velocities are called x, y and z unless there are other names, of
// which shells have some.
struct ProfileLayout {
  ProfileLayout(std::vector<std::string> chosen = {}) : quantities(std::move(chosen)) {}
  std::vector<std::string> quantities;
  std::vector<std::string> components{"x", "y", "z"};
  std::string shells;                // "cylinder", "sphere"; empty: slabs
  std::string along = "coordinate";  // what the bins are along, if it is no place: a distance, a time, …
};

// Of these names those of a block's `further`.
std::vector<std::string> furtherQuantities(const std::vector<std::string>& chosen);

class ProfileWriter {
public:
  using Block = ProfileBlock;
  // Creates or replaces DIRECTORY/<name>.csv and .h5. Throws RunError.
  ProfileWriter(const std::string& directory, const std::string& name, const ProfileLayout& layout);

  // What an earlier run left of both files.
  struct Earlier {
    EarlierOutput csv, hdf5;
  };
  // Looks at them from the checkpoint of `step`, which knows these marks, and changes nothing. Throws InputError if
  // they cannot be continued with this layout and bins.
  static Earlier look(const std::string& directory, const std::string& name, const ProfileLayout& layout,
                      std::size_t bins, std::int64_t step, const FileMarks& marks);
  // Continues them; what is absent is begun. Where the checkpoint does not know a file's bytes, blocks that end after
  // lastStep are dropped. Throws InputError.
  static ProfileWriter resume(const std::string& directory, const std::string& name, const ProfileLayout& layout,
                              std::int64_t lastStep, const Earlier& earlier);

  // All blocks have the same axis and bins. Both files are complete on return.
  void append(const ProfileBlock& block);

  // Returns when all blocks are on the disk.
  void flush();
  // For the checkpoint of this step: both files' marks.
  void mark(std::int64_t step, FileMarks& marks);

  std::size_t blocks() const { return blocks_; }

private:
  ProfileWriter() = default;
  void createSeries(const ProfileBlock& first);
  void openSeries();
  void open(hdf5::Mode mode);
  std::size_t blocksUpTo(std::int64_t lastStep) const;
  bool isCutAt(std::size_t blocks) const;
  void cut(std::int64_t lastStep);
  void resumeCsv(const std::string& path, std::int64_t lastStep, const EarlierOutput& earlier);
  void resumeHdf5(std::int64_t lastStep, const EarlierOutput& earlier);
  void appendToCsv(const ProfileBlock& block);
  void appendToHdf5(const ProfileBlock& block);

  std::string path_, csvPath_;
  ProfileLayout layout_;
  CsvFile csv_;
  hdf5::File file_;
  std::vector<hdf5::Series> series_;  // in the order of profile_writer.cpp's tables
  std::size_t bins_ = 0;
  std::size_t blocks_ = 0;
};

}  // namespace mesowarp::io
