// The first 512 bytes of a checkpoint, HDF5's user block: text that `head -c 512` shows, then spaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace mesowarp::io {

constexpr std::size_t checkpointHeaderSize = 512;  // bytes
constexpr unsigned checkpointVersion = 1;
constexpr const char* checkpointMagic = "mesowarp checkpoint\n";

struct CheckpointHeader {
  unsigned version = checkpointVersion;
  std::uint64_t payloadSize = 0;  // bytes behind the header
  std::uint64_t hash = 0;         // XXH3-64 of them
};

// Exactly checkpointHeaderSize bytes; one header has one text only, so that an altered byte anywhere in it is seen.
std::string formatHeader(const CheckpointHeader& header);

// Size and XXH3-64 hash of what follows the header. Throws RunError if the file cannot be read.
CheckpointHeader computeHeader(const std::string& path);

// What is wrong with the file as a checkpoint ("" if nothing), from header, size and hash; HDF5 is not asked.
std::string checkpointFault(const std::string& path);

}  // namespace mesowarp::io
