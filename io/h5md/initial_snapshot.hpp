// A snapshot as an initial state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/h5md/snapshot.hpp"

namespace mesowarp::io {

// Orders the particles by tag and turns bonds from tags into indices. tag and species must be filled; bondTypes: one a
// bond, or empty for type 1. Throws RunError if the snapshot contradicts itself.
FileState initialStateOf(const Snapshot& snapshot, const std::vector<std::string>& speciesNames,
                         const std::vector<std::int32_t>& bondTypes);

}  // namespace mesowarp::io
