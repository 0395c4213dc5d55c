#include "run/checkpoint_check.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "comm/tag_blocks.hpp"
#include "device/host_loop.hpp"
#include "input/physics_check.hpp"
#include "input/species.hpp"
#include "io/checkpoint/stored_rows.hpp"
#include "io/ranks.hpp"
#include "state/particles.hpp"

namespace mesowarp {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw InputError(what + damagedAdvice); }

// Bits of a number spread over a word (the finalizer of SplitMix64).
u64 mixed(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

class Check {
public:
  Check(const io::CheckpointContent& content, const input::Deck& deck, const comm::Communicator* ranks)
      : content_(content), deck_(deck), ranks_(io::several(ranks)),
        bodies_(input::methodOf(deck) == input::Method::bodies) {}

  void all() {
    io::onAll(ranks_, [&] { shapes(); });  // of all ranks the same, but for the rows
    permutation();
    if (partner_) bonds();
  }

private:
  void shapes() {
    const auto it = content_.arrays.find("tag");
    if (it == content_.arrays.end()) refuse("the checkpoint has no array 'tag'");
    const io::Array& tag = it->second;
    // Format version 1 does not mark distributed arrays, but one rank has all of them.
    all_ = static_cast<i64>(ranks_ ? tag.totalRows : tag.rows), count_ = static_cast<i64>(tag.rows);
    if (all_ < 1 || all_ > i64{std::numeric_limits<u32>::max()} || count_ > std::numeric_limits<int>::max())
      refuse(fmt::format("the checkpoint has {} particles", all_));
    tag_ = {storedArray(content_, "tag", io::ElementType::u8, tag.rows, sizeof(u32)).data.data()};
    if (ranks_ && tag.spread != io::Spread::distributed) refuse("the checkpoint's tags are not of particles");
    number();
    rowsOfRanks();
    if (!bodies_) counters();
    for (const auto& [name, array] : content_.arrays)
      if (name.starts_with("profile_")) profile(name, array);
    partners();
  }

  // Against what the deck makes; of files nobody knows it.
  void number() const {
    i64 made = 0;
    bool known = true;
    for (const auto& population : deck_.populations) {
      known = known && population.initial != input::InitialState::file;
      made += bodies_ ? population.count : input::particleCount(population, deck_.box);
    }
    if (known ? made != all_ : made > all_)
      throw InputError(
          fmt::format("the checkpoint has {} particles, and this deck makes {}: it is of another deck", all_, made));
  }

  void rowsOfRanks() const {
    const auto ranks = content_.numbers.find("ranks");
    if (ranks != content_.numbers.end() && ranks->second < 1)
      refuse(fmt::format("the checkpoint is of {} ranks", ranks->second));
    if (bodies_ && ranks_) {
      const auto first = [&](int rank) { return comm::firstOfBlock(rank, ranks_->size(), all_); };
      if (static_cast<i64>(content_.arrays.at("tag").firstRow) != first(ranks_->rank()) ||
          count_ != first(ranks_->rank() + 1) - first(ranks_->rank()))
        refuse("the checkpoint's bodies are not in the order of their tags");
    }
    if (content_.arrays.find("rank_rows") == content_.arrays.end()) return;
    if (ranks == content_.numbers.end()) refuse("the checkpoint does not say of how many ranks it is");
    const StoredRows<i64> rows{
        storedArray(content_, "rank_rows", io::ElementType::i64, static_cast<std::size_t>(ranks->second), 1)
            .data.data()};
    i64 sum = 0;
    for (i64 r = 0; r < ranks->second; ++r) {
      if (rows(r) < 0 || rows(r) > all_) refuse(fmt::format("the checkpoint gives rank {} {} particles", r, rows(r)));
      sum += rows(r);
    }
    if (sum != all_) refuse(fmt::format("the checkpoint's ranks have {} particles together, not {}", sum, all_));
  }

  void counters() const {
    const StoredRows<i64> value{storedArray(content_, "engine_counters", io::ElementType::i64, 4, 1).data.data()};
    const i64 step = content_.numbers.at("step"), lastRebuild = value(0), rebuilds = value(1), dangerous = value(2),
              moved = value(3);
    if (lastRebuild < 0 || lastRebuild > step || rebuilds < 0 || dangerous < 0 ||
        dangerous > std::numeric_limits<int>::max() || moved < 0 || moved > 1)
      refuse(fmt::format(
          "the checkpoint's counters (last rebuild {}, rebuilds {}, dangerous {}, moved {}) cannot be of step {}",
          lastRebuild, rebuilds, dangerous, moved, step));
  }

  // First and last step of the open block, its samples, then sums; how many, the recorder knows.
  void profile(const std::string& name, const io::Array& array) const {
    const auto step = static_cast<double>(content_.numbers.at("step"));
    if (array.rows < 3) refuse(fmt::format("the checkpoint's '{}' is too short", name));
    const StoredRows<double> value{storedArray(content_, name, io::ElementType::f64, array.rows, 1).data.data()};
    bool fits = value(0) >= 0.0 && value(0) <= step && value(1) >= -1.0 && value(1) <= step && value(2) >= 0.0 &&
                value(2) <= step + 1.0;
    for (std::size_t k = 3; k < array.rows; ++k) fits = fits && std::isfinite(value(static_cast<i64>(k)));
    if (!fits) refuse(fmt::format("the checkpoint's '{}' cannot be the sums of a profile up to step {}", name, step));
  }

  void partners() {
    const auto it = content_.arrays.find("bond_partner");
    if (it == content_.arrays.end()) {
      if (content_.arrays.count("bond_type")) refuse("the checkpoint has types of bonds, but no bonds");
      return;
    }
    if (bodies_ || deck_.bonds.empty())
      throw InputError("the checkpoint has bonds, and this deck has no [[bond]] block: it is of another deck");
    const std::size_t bytes = it->second.width;
    if (bytes == 0 || bytes % sizeof(u32) != 0) refuse("the checkpoint's 'bond_partner' has rows of no whole bonds");
    width_ = static_cast<i64>(bytes / sizeof(u32));
    const auto rows = static_cast<std::size_t>(count_);
    partner_ = storedArray(content_, "bond_partner", io::ElementType::u8, rows, bytes).data.data();
    type_ = {storedArray(content_, "bond_type", io::ElementType::u8, rows, bytes).data.data()};
  }

  void permutation() const {
    if (ranks_) {
      std::vector<u32> tags(static_cast<std::size_t>(count_));
      if (count_ > 0) std::memcpy(tags.data(), tag_.data, tags.size() * sizeof(u32));
      try {
        const comm::TagBlocks blocks(*ranks_, all_, tags.data(), count_);
      } catch (const RunError& error) {  // on all of them
        refuse(std::string("the checkpoint's ") + error.what());
      }
      return;
    }
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(count_), 0);
    const i64 bad = hostFirst("check tags", count_, [&](i64 i) {
      const u32 tag = tag_(i);
      return tag >= count_ || std::atomic_ref(seen[tag]).exchange(1, std::memory_order_relaxed) != 0;
    });
    if (bad < count_)
      refuse(fmt::format("the checkpoint's tags are not 0, 1, 2, … each once: row {} has {} of {} particles", bad,
                         tag_(bad), count_));
  }

  // A bond adds a number made of its ends and type in the row of its lower tag, and takes it off in the other's: all
  // together give 0 only if both rows have it (but for one chance in 2^64), wherever the rows are.
  void bonds() const {
    const StoredRows<u32> partner{partner_};
    const auto blocks = static_cast<i32>(deck_.bonds.size());
    io::onAll(ranks_, [&] {
      const i64 bad = hostFirst("check bonds", count_ * width_, [&](i64 slot) {
        const u32 other = partner(slot);
        return other != noBond &&
               (other >= all_ || other == tag_(slot / width_) || type_(slot) < 0 || type_(slot) >= blocks);
      });
      if (bad < count_ * width_)
        refuse(fmt::format("the checkpoint has a bond of particle {} with {}, of type {}; there are {} particles and "
                           "{} [[bond]] block{}",
                           tag_(bad / width_), partner(bad), i64{type_(bad)} + 1, all_, blocks,
                           blocks == 1 ? "" : "s"));
    });
    u64 sum = 0;
    Kokkos::parallel_reduce(
        "match bonds",
        Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<i64>>(0, count_ * width_),
        [&](i64 slot, u64& total) {
          const u32 other = partner(slot), self = tag_(slot / width_);
          if (other == noBond) return;
          const u64 ends = u64{std::min(self, other)} << 32 | std::max(self, other);
          const u64 number = mixed(mixed(ends) + static_cast<u64>(type_(slot)));
          total += self < other ? number : u64{0} - number;
        },
        Kokkos::Sum<u64>(sum));
    if ((ranks_ ? ranks_->sumModulo(sum) : sum) != 0)
      refuse("the checkpoint has bonds that only one of their two particles knows of");
  }

  const io::CheckpointContent& content_;
  const input::Deck& deck_;
  const comm::Communicator* ranks_;  // null: one
  bool bodies_;
  i64 all_ = 0, count_ = 0, width_ = 0;  // particles, those here, bonds per particle
  StoredRows<u32> tag_;
  StoredRows<i32> type_;
  const std::byte* partner_ = nullptr;  // null: there are no bonds
};

}  // namespace

const std::string& deckTextOf(const io::CheckpointContent& content, const std::string& path) {
  const auto text = content.texts.find("deck");
  if (text == content.texts.end()) throw InputError(path + " is no checkpoint of a particle run: it has no deck");
  return text->second;
}

std::int64_t stepOf(const io::CheckpointContent& content, const std::string& path) {
  const auto step = content.numbers.find("step");
  if (step == content.numbers.end()) throw InputError(path + " is no checkpoint of a particle run: it has no step");
  if (step->second < 0) throw InputError(fmt::format("{} is at step {}{}", path, step->second, damagedAdvice));
  return step->second;
}

void checkCheckpoint(const io::CheckpointContent& content, const input::Deck& deck, const comm::Communicator* ranks) {
  Check(content, deck, ranks).all();
}

}  // namespace mesowarp
