// Angles and dihedrals in a checkpoint.
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "core/images.hpp"
#include "device/host_loop.hpp"
#include "io/h5md/snapshot.hpp"
#include "io/ranks.hpp"
#include "start/checkpoint_rows.hpp"

namespace mesowarp {

// The rows of `name`_partner and `name`_type, terms of N members each.
template <std::size_t N>
class StoredTerms {
public:
  // No terms: width() is 0. Throws InputError: they are of another size.
  StoredTerms(const io::CheckpointContent& content, const std::string& name, i64 rows) {
    const auto type = content.arrays.find(name + "_type");
    if (type == content.arrays.end()) {
      if (content.arrays.count(name + "_partner"))
        refuseDamaged(fmt::format("the checkpoint has {}s without types", name));
      return;
    }
    const std::size_t bytes = type->second.width;
    if (bytes == 0 || bytes % sizeof(i32) != 0)
      refuseDamaged(fmt::format("the checkpoint's '{}_type' has rows of no whole {}s", name, name));
    width_ = static_cast<i64>(bytes / sizeof(i32));
    const auto count = static_cast<std::size_t>(rows);
    type_ = {storedArray(content, name + "_type", io::ElementType::u8, count, bytes).data.data()};
    partner_ = {storedArray(content, name + "_partner", io::ElementType::u8, count, (N - 1) * bytes).data.data()};
  }

  i64 width() const { return width_; }
  bool empty(i64 slot) const { return partner_(slot * (N - 1)) == noBond; }
  int type(i64 slot) const { return type_(slot) / static_cast<int>(N); }
  int role(i64 slot) const { return type_(slot) % static_cast<int>(N); }
  i32 word(i64 slot) const { return type_(slot); }
  // The tags of a slot's term, of which `own` is that of the particle.
  std::array<u32, N> members(i64 slot, u32 own) const {
    std::array<u32, N> tags{};
    for (int m = 0, k = 0; m < static_cast<int>(N); ++m)
      tags[static_cast<std::size_t>(m)] = m == role(slot) ? own : partner_(slot * (N - 1) + k++);
    return tags;
  }

private:
  i64 width_ = 0;
  StoredRows<i32> type_;
  StoredRows<u32> partner_;
};

// Bits of a number spread over a word (the finalizer of SplitMix64).
inline u64 spread(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// Terms that cannot be, or that not all of their members know of: the first member adds N - 1 times a number made of
// the term, the others take it off; all together give 0 (but for one chance in 2^64) wherever the rows are. Throws
// InputError. Collective.
template <std::size_t N>
void checkTerms(const io::CheckpointContent& content, const CheckpointRows& rows, const std::string& name,
                std::size_t blocks) {
  i64 width = 0;
  u64 sum = 0;
  io::onAll(rows.ranks(), [&] {
    const StoredTerms<N> terms(content, name, rows.count());
    width = terms.width();
    if (width > 0 && blocks == 0)
      throw InputError(
          fmt::format("the checkpoint has {}s, and this deck has no [[{}]] block: it is of another deck", name, name));
    const i64 bad = hostFirst("check terms", rows.count() * width, [&](i64 slot) {
      if (terms.empty(slot)) return false;
      if (terms.word(slot) < 0 || terms.type(slot) >= static_cast<int>(blocks)) return true;
      auto tags = terms.members(slot, rows.tag(slot / width));
      std::sort(tags.begin(), tags.end());
      return tags.back() >= rows.all() || std::adjacent_find(tags.begin(), tags.end()) != tags.end();
    });
    if (bad < rows.count() * width)
      refuseDamaged(fmt::format("the checkpoint has a {} of particle {} that cannot be", name, rows.tag(bad / width)));
    for (i64 slot = 0; slot < rows.count() * width; ++slot) {
      if (terms.empty(slot)) continue;
      u64 number = static_cast<u64>(terms.type(slot));
      for (const u32 tag : terms.members(slot, rows.tag(slot / width))) number = spread(number * 31 + tag);
      sum += terms.role(slot) == 0 ? (N - 1) * number : u64{0} - number;
    }
  });
  if ((rows.ranks() ? rows.ranks()->sumModulo(sum) : sum) != 0)
    refuseDamaged(fmt::format("the checkpoint has {}s that not all of their particles know of", name));
}

// All terms of a checkpoint that is here as a whole, in the order of their tags; types: numbers of the blocks, from 1.
template <std::size_t N>
std::vector<io::FileState::Term<N>> termsOf(const io::CheckpointContent& content, const std::string& name) {
  const io::Array& tags = content.arrays.at("tag");
  const StoredRows<u32> tag{tags.data.data()};
  const StoredTerms<N> stored(content, name, static_cast<i64>(tags.rows));
  std::vector<io::FileState::Term<N>> all;
  for (i64 slot = 0; slot < static_cast<i64>(tags.rows) * stored.width(); ++slot) {
    if (stored.empty(slot) || stored.role(slot) != 0) continue;
    io::FileState::Term<N> term{stored.type(slot) + 1, {}};
    const auto members = stored.members(slot, tag(slot / stored.width()));
    std::copy(members.begin(), members.end(), term.of.begin());
    all.push_back(term);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.of < b.of; });
  return all;
}

}  // namespace mesowarp
