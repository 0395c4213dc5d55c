#include "state/state_hash.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>
#include <xxhash.h>

#include "device/host_loop.hpp"

namespace mesowarp {
namespace {

// nvcc fails on vectors of XXH128_hash_t, whose structure has no name.
struct BlockHash {
  u64 high, low;
};

}  // namespace

void StateHash::add(const std::byte* rows, std::size_t rowBytes, i64 count, i64 firstTag) {
  std::vector<BlockHash> hashes(static_cast<std::size_t>((count + block - 1) / block));
  hostLoop("hash blocks", 0, static_cast<i64>(hashes.size()), [&](i64 k) {
    const i64 first = k * block, last = std::min(count, first + block);
    const auto bytes = static_cast<std::size_t>(last - first) * rowBytes;
    const std::byte* const from = rows + static_cast<std::size_t>(first) * rowBytes;
    const XXH128_hash_t hash = XXH3_128bits_withSeed(from, bytes, static_cast<u64>(firstTag / block + k));
    hashes[static_cast<std::size_t>(k)] = {hash.high64, hash.low64};
  });
  for (const auto& hash : hashes) high_ += hash.high, low_ += hash.low;
}

void StateHash::addOthers(const comm::Communicator& ranks) {
  high_ = ranks.sumModulo(high_), low_ = ranks.sumModulo(low_);
}

std::string StateHash::text() const { return fmt::format("{:016x}{:016x}", high_, low_); }

}  // namespace mesowarp
