#include "app/state_hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "app/host_loop.hpp"

namespace mesowarp {

void StateHash::add(const HashedState* rows, i64 count, i64 firstTag) {
  std::vector<XXH128_hash_t> hashes(static_cast<std::size_t>((count + block - 1) / block));
  hostLoop("hash blocks", 0, static_cast<i64>(hashes.size()), [&](i64 k) {
    const i64 first = k * block, last = std::min(count, first + block);
    const auto bytes = static_cast<std::size_t>(last - first) * sizeof(HashedState);
    hashes[static_cast<std::size_t>(k)] = XXH3_128bits_withSeed(rows + first, bytes, static_cast<u64>(firstTag / block + k));
  });
  for (const auto& hash : hashes) high_ += hash.high64, low_ += hash.low64;
}

void StateHash::addOthers(const comm::Communicator& ranks) { high_ = ranks.sumModulo(high_), low_ = ranks.sumModulo(low_); }

std::string StateHash::text() const { return fmt::format("{:016x}{:016x}", high_, low_); }

}  // namespace mesowarp
