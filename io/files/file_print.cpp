#include "io/files/file_print.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <vector>
#include <xxhash.h>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_header.hpp"
#include "io/hdf5/looks_like_hdf5.hpp"

namespace mesowarp::io {
namespace {

constexpr std::uint64_t eachEnd = std::uint64_t{32} << 20;  // bytes
constexpr std::uint64_t piece = std::uint64_t{1} << 20;

class Hash {
public:
  Hash() : state_(XXH3_createState(), XXH3_freeState) { XXH3_128bits_reset(state_.get()); }

  void add(const void* data, std::size_t bytes) { XXH3_128bits_update(state_.get(), data, bytes); }

  // Bytes [first, last) of a file.
  void add(std::ifstream& file, std::uint64_t first, std::uint64_t last, const std::string& path) {
    file.seekg(static_cast<std::streamoff>(first));
    for (std::uint64_t at = first; at < last; at += piece) {
      buffer_.resize(std::min(piece, last - at));
      if (!file.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size())))
        throw RunError("cannot read " + path);
      add(buffer_.data(), buffer_.size());
    }
  }

  std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
  std::vector<char> buffer_;
};

}  // namespace

std::string filePrint(const std::string& path) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) throw RunError("cannot read " + path);
  Hash hash;
  hash.add(&size, sizeof(size));
  if (looksLikeCheckpoint(path)) {
    hash.add(file, 0, std::min<std::uint64_t>(checkpointHeaderSize, size), path);
  } else if (looksLikeHdf5(path) && size > 2 * eachEnd) {
    hash.add(file, 0, eachEnd, path);
    hash.add(file, size - eachEnd, size, path);
  } else {
    hash.add(file, 0, size, path);
  }
  return hash.text();
}

}  // namespace mesowarp::io
