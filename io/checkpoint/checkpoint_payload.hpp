// What a checkpoint holds behind its header, as HDF5: /arrays/<name> [rows][width], /texts/<name> (bytes),
// /numbers/<name>. Names may hold '/', which makes groups. A distributed array has the attribute `distributed`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint.hpp"
#include "io/ranks.hpp"

namespace mesowarp::io {

// The root creates the file, with room in front for the header and all but distributed arrays, for which it lays places
// down in the order of `arrays`; then every rank writes its rows there. So the file's bytes do not depend on the number
// of ranks, and a disk that is too full shows before several ranks write. Throws RunError.
void writeCheckpointPayload(const std::string& path, const std::vector<ArrayView>& arrays,
                            const std::map<std::string, std::string>& texts,
                            const std::map<std::string, std::int64_t>& numbers, Ranks ranks);

// Of a file whose header was found to fit. Throws RunError.
CheckpointContent readCheckpointPayload(const std::string& path, Ranks ranks);

}  // namespace mesowarp::io
