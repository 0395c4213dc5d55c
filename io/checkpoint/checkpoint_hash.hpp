// Hashes of what follows a checkpoint's header; see checkpoint_header.hpp for what they are.
#pragma once

#include <cstdint>
#include <string>

#include "io/ranks.hpp"

namespace mesowarp::io {

// Bytes behind the header, as the root sees the file. Throws RunError.
std::uint64_t payloadSizeOf(const std::string& path, Ranks ranks);

// Of format version 2: each rank reads an equal share of the blocks; all get the sum. Throws RunError.
std::uint64_t hashOfBlocks(const std::string& path, std::uint64_t payloadSize, Ranks ranks);

// Of format version 1, by this process alone. Throws RunError.
std::uint64_t hashOfWhole(const std::string& path);

}  // namespace mesowarp::io
