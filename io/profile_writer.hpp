// Profiles along an axis, averaged over blocks of time: NAME.csv (one row a bin and block) and NAME.h5 (blocks x bins).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/csv_file.hpp"
#include "io/hdf5_series.hpp"

namespace mesowarp::io {

// B bins. What is not written may be empty; so may errors (standard errors of the mean) that are not known.
struct ProfileBlock {
  std::int64_t firstStep = 0;  // of the samples averaged over, both included
  std::int64_t lastStep = 0;
  std::int64_t samples = 0;
  int axis = 0;                          // 0, 1, 2: x, y, z
  std::vector<double> coordinate;        // B, bin centres, length
  std::vector<double> count;             // B, mean number of particles
  std::vector<double> density;           // B, number density, 1/length^3
  std::vector<double> velocity;          // 3B, xyz of a bin together; NaN where no particle was
  std::vector<double> temperature;       // B, energy; NaN where no particle was
  std::vector<double> densityError;      // B or empty
  std::vector<double> velocityError;     // 3B or empty
  std::vector<double> temperatureError;  // B or empty
};

class ProfileWriter {
public:
  // Creates or replaces DIRECTORY/<name>.csv and .h5. quantities: which of density, velocity and temperature go into
  // them, beside the number of particles. Throws RunError.
  ProfileWriter(const std::string& directory, const std::string& name, const std::vector<std::string>& quantities);

  // Continues those of an earlier run, which had the same quantities, behind the last block that ended by lastStep.
  // Throws InputError.
  static ProfileWriter resume(const std::string& directory, const std::string& name,
                              const std::vector<std::string>& quantities, std::int64_t lastStep);

  // All blocks have the same axis and bins. Both files are complete on return.
  void append(const ProfileBlock& block);

  std::size_t blocks() const { return blocks_; }

private:
  ProfileWriter() = default;
  void createSeries(const ProfileBlock& first);
  void openSeries();
  void appendToCsv(const ProfileBlock& block);
  void appendToHdf5(const ProfileBlock& block);

  std::string path_;
  std::vector<std::string> quantities_;
  CsvFile csv_;
  hdf5::File file_;
  std::vector<hdf5::Series> series_;  // in the order of profile_writer.cpp's tables
  std::size_t bins_ = 0;
  std::size_t blocks_ = 0;
};

}  // namespace mesowarp::io
