#include "start/checkpoint_rows.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "comm/tag_blocks.hpp"
#include "core/error.hpp"
#include "device/host_loop.hpp"
#include "io/ranks.hpp"

namespace mesowarp {

void refuseDamaged(const std::string& what) { throw InputError(what + damagedAdvice); }

CheckpointRows::CheckpointRows(const io::CheckpointContent& content, const input::Deck& deck,
                               const input::MethodBlocks& method, const comm::Communicator* ranks)
    : content_(content), deck_(deck), method_(method), ranks_(io::several(ranks)) {}

void CheckpointRows::checkShapes() {
  const auto it = content_.arrays.find("tag");
  if (it == content_.arrays.end()) refuseDamaged("the checkpoint has no array 'tag'");
  const io::Array& tag = it->second;
  // Format version 1 does not mark distributed arrays, but one rank has all of them.
  all_ = static_cast<i64>(ranks_ ? tag.totalRows : tag.rows), count_ = static_cast<i64>(tag.rows);
  if (all_ < 1 || all_ > i64{std::numeric_limits<u32>::max()} || count_ > std::numeric_limits<int>::max())
    refuseDamaged(fmt::format("the checkpoint has {} particles", all_));
  tag_ = {storedArray(content_, "tag", io::ElementType::u8, tag.rows, sizeof(u32)).data.data()};
  if (ranks_ && tag.spread != io::Spread::distributed) refuseDamaged("the checkpoint's tags are not of particles");
  checkNumber();
  checkRanks();
}

// Against what the deck makes; of files nobody knows it.
void CheckpointRows::checkNumber() const {
  i64 made = 0;
  bool known = deck_.walls.empty();  // which of them make room for particles nobody has counted
  for (const input::Population* population : input::populationsOf(deck_, method_)) {
    known = known && population->initial != input::StartKind::file;
    if (deck_.walls.empty()) made += input::particleCount(*population, deck_.box);
  }
  if (known ? made != all_ : made > all_)
    throw InputError(
        fmt::format("the checkpoint has {} particles, and this deck makes {}: it is of another deck", all_, made));
}

void CheckpointRows::checkRanks() const {
  const auto ranks = content_.numbers.find("ranks");
  if (ranks != content_.numbers.end() && ranks->second < 1)
    refuseDamaged(fmt::format("the checkpoint is of {} ranks", ranks->second));
  if (content_.arrays.find("rank_rows") == content_.arrays.end()) return;
  if (ranks == content_.numbers.end()) refuseDamaged("the checkpoint does not say of how many ranks it is");
  const StoredRows<i64> rows{
      storedArray(content_, "rank_rows", io::ElementType::i64, static_cast<std::size_t>(ranks->second), 1).data.data()};
  i64 sum = 0;
  for (i64 r = 0; r < ranks->second; ++r) {
    if (rows(r) < 0 || rows(r) > all_)
      refuseDamaged(fmt::format("the checkpoint gives rank {} {} particles", r, rows(r)));
    sum += rows(r);
  }
  if (sum != all_) refuseDamaged(fmt::format("the checkpoint's ranks have {} particles together, not {}", sum, all_));
}

void CheckpointRows::checkTags() const {
  if (ranks_) {
    std::vector<u32> tags(static_cast<std::size_t>(count_));
    if (count_ > 0) std::memcpy(tags.data(), tag_.data, tags.size() * sizeof(u32));
    try {
      const comm::TagBlocks blocks(*ranks_, all_, tags.data(), count_);
    } catch (const RunError& error) {  // on all of them
      refuseDamaged(std::string("the checkpoint's ") + error.what());
    }
    return;
  }
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(count_), 0);
  const i64 bad = hostFirst("check tags", count_, [&](i64 i) {
    const u32 tag = tag_(i);
    return tag >= count_ || std::atomic_ref(seen[tag]).exchange(1, std::memory_order_relaxed) != 0;
  });
  if (bad < count_)
    refuseDamaged(fmt::format("the checkpoint's tags are not 0, 1, 2, … each once: row {} has {} of {} particles", bad,
                              tag_(bad), count_));
}

io::CheckpointContent contentOf(const io::CheckpointContent& content, const std::string& name) {
  io::CheckpointContent own{{}, content.texts, content.numbers};
  for (const auto& [key, array] : content.arrays)
    if (key.starts_with(name + '.')) own.arrays.emplace(key.substr(name.size() + 1), array);
  return own;
}

void checkProfiles(const io::CheckpointContent& content) {
  const auto step = static_cast<double>(content.numbers.at("step"));
  for (const auto& [name, array] : content.arrays) {
    if (!name.starts_with("profile_")) continue;
    if (array.rows < 3) refuseDamaged(fmt::format("the checkpoint's '{}' is too short", name));
    const StoredRows<double> value{storedArray(content, name, io::ElementType::f64, array.rows, 1).data.data()};
    bool fits = value(0) >= 0.0 && value(0) <= step && value(1) >= -1.0 && value(1) <= step && value(2) >= 0.0 &&
                value(2) <= step + 1.0;
    for (std::size_t k = 3; k < array.rows; ++k) fits = fits && std::isfinite(value(static_cast<i64>(k)));
    if (!fits)
      refuseDamaged(fmt::format("the checkpoint's '{}' cannot be the sums of a profile up to step {}", name, step));
  }
}

}  // namespace mesowarp
