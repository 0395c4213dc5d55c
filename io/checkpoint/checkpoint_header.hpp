// The first 512 bytes of a checkpoint, HDF5's user block: text that `head -c 512` shows, then spaces.
//
// Hash of version 2: the payload in blocks of 1 MiB, the XXH3-64 of each, seeded with its number from 0, all added up
// modulo 2^64. Ranks can share the blocks, and the sum does not tell how many ranks did. Of version 1: the XXH3-64 of
// the whole; one rank alone reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/ranks.hpp"

namespace mesowarp::io {

constexpr std::size_t checkpointHeaderSize = 512;  // bytes
constexpr unsigned checkpointVersion = 2;          // written; 1 is read, too
constexpr const char* checkpointMagic = "mesowarp checkpoint\n";

struct CheckpointHeader {
  unsigned version = checkpointVersion;
  std::uint64_t payloadSize = 0;  // bytes behind the header
  std::uint64_t hash = 0;         // of them
};

// Exactly checkpointHeaderSize bytes; one header has one text only, so that an altered byte anywhere in it is seen.
std::string formatHeader(const CheckpointHeader& header);

// Size and hash of what follows the header, after it has reached the disk. Several ranks read equal shares of the file.
// Throws RunError if that fails.
CheckpointHeader computeHeader(const std::string& path, Ranks ranks = nullptr);

// What is wrong with the file as a checkpoint ("" if nothing), from header, size and hash; HDF5 is not asked. Several
// ranks share the work and get the same answer.
std::string checkpointFault(const std::string& path, Ranks ranks = nullptr);

}  // namespace mesowarp::io
