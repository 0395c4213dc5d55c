// Columns and datasets of a profile's two files, shared by what writes and what continues them.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "io/text/profile_writer.hpp"

namespace mesowarp::io::profile {

// What a profile can hold beside the number of particles, in the order of the files.
struct Quantity {
  const char* name;
  std::vector<double> ProfileBlock::*value;
  std::vector<double> ProfileBlock::*error;  // may be empty
  std::size_t width;                         // numbers per bin
};
inline constexpr std::array<Quantity, 3> quantities{
    {{"density", &ProfileBlock::density, &ProfileBlock::densityError, 1},
     {"velocity", &ProfileBlock::velocity, &ProfileBlock::velocityError, 3},
     {"temperature", &ProfileBlock::temperature, &ProfileBlock::temperatureError, 1}}};

// The datasets of the HDF5 file: numbers of a block, then arrays over its bins.
struct StepSeries {
  const char* name;
  std::int64_t ProfileBlock::*member;
};
inline constexpr std::array<StepSeries, 3> stepSeries{{{"first_step", &ProfileBlock::firstStep},
                                                       {"last_step", &ProfileBlock::lastStep},
                                                       {"samples", &ProfileBlock::samples}}};
struct BinSeries {
  std::string name;
  std::vector<double> ProfileBlock::*member;  // null: one of the block's further quantities
  std::size_t width;
  bool isOptional;
  std::size_t further = 0;  // its number

  const std::vector<double>& of(const ProfileBlock& block) const;
};

bool isChosen(const Quantity& quantity, const std::vector<std::string>& chosen);
// Names that are none of the quantities above.
std::vector<std::string> furtherOf(const std::vector<std::string>& chosen);
std::vector<BinSeries> binSeriesOf(const std::vector<std::string>& chosen);

inline constexpr std::size_t lastStepColumn = 2;
std::vector<std::string> csvColumnsOf(const ProfileLayout& layout);

inline constexpr const char* coordinateDataset = "coordinate";

inline std::string csvPath(const std::string& directory, const std::string& name) {
  return (std::filesystem::path(directory) / (name + ".csv")).string();
}
inline std::string hdf5Path(const std::string& directory, const std::string& name) {
  return (std::filesystem::path(directory) / (name + ".h5")).string();
}

}  // namespace mesowarp::io::profile
