// What a checkpoint holds behind its header, as HDF5: /arrays/<name> [rows][width], /texts/<name> (bytes),
// /numbers/<name>. Names may hold '/', which makes groups.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/checkpoint.hpp"

namespace mesowarp::io {

// Creates the file, with room in front for the header. Throws RunError.
void writeCheckpointPayload(const std::string& path, const std::vector<ArrayView>& arrays,
                            const std::map<std::string, std::string>& texts,
                            const std::map<std::string, std::int64_t>& numbers);

// Of a file whose header was found to fit. Throws RunError.
CheckpointContent readCheckpointPayload(const std::string& path);

}  // namespace mesowarp::io
