#include "io/checkpoint/checkpoint_hash.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>
#include <xxhash.h>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint_header.hpp"

namespace mesowarp::io {

namespace {

constexpr std::uint64_t blockSize = 1 << 20;  // bytes; part of format version 2

std::ifstream openPayload(const std::string& path, std::uint64_t offset) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(checkpointHeaderSize + offset));
  if (!file) throw RunError("cannot read " + path);
  return file;
}

}  // namespace

std::uint64_t payloadSizeOf(const std::string& path, Ranks ranks) {
  std::int64_t size = 0;
  onRoot(ranks, [&] {
    std::error_code error;
    size = static_cast<std::int64_t>(std::filesystem::file_size(path, error)) -
           static_cast<std::int64_t>(checkpointHeaderSize);
    if (error || size < 0) throw RunError("cannot read " + path);
  });
  return static_cast<std::uint64_t>(fromRoot(ranks, size));
}

std::uint64_t hashOfBlocks(const std::string& path, std::uint64_t payloadSize, Ranks ranks) {
  const std::uint64_t blocks = (payloadSize + blockSize - 1) / blockSize;
  const auto size = static_cast<std::uint64_t>(several(ranks) ? ranks->size() : 1);
  const auto rank = static_cast<std::uint64_t>(several(ranks) ? ranks->rank() : 0);
  std::uint64_t sum = 0;
  onAll(ranks, [&] {
    const std::uint64_t first = blocks * rank / size, last = blocks * (rank + 1) / size;
    if (first == last) return;
    std::ifstream file = openPayload(path, first * blockSize);
    std::vector<char> block(std::min(blockSize, payloadSize));
    for (std::uint64_t k = first; k < last; ++k) {
      const std::uint64_t bytes = std::min(blockSize, payloadSize - k * blockSize);
      if (!file.read(block.data(), static_cast<std::streamsize>(bytes))) throw RunError("cannot read " + path);
      sum += XXH3_64bits_withSeed(block.data(), bytes, k);
    }
  });
  return several(ranks) ? ranks->sumModulo(sum) : sum;
}

std::uint64_t hashOfWhole(const std::string& path) {
  std::ifstream file = openPayload(path, 0);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> block(blockSize);
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    XXH3_64bits_update(state.get(), block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw RunError("cannot read " + path);
  return XXH3_64bits_digest(state.get());
}

}  // namespace mesowarp::io
