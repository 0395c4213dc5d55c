// One frame as text, for convertTrajectory().
#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

#include "io/h5md/snapshot.hpp"

namespace mesowarp::io {

struct FrameStyle {
  std::vector<std::string> speciesNames;
  bool isSingle = false;     // numbers were stored in single precision: fewer digits say the same
  bool isUnwrapped = false;  // positions are unwrapped already
};

using FrameFormatter = void (*)(fmt::memory_buffer& out, const Snapshot& snapshot, const FrameStyle& style);

// "lammps-dump" or "xyz"; throws InputError for another.
FrameFormatter frameFormatter(const std::string& format);

}  // namespace mesowarp::io
