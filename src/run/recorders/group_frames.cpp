#include "run/recorders/group_frames.hpp"

#include <algorithm>
#include <utility>

#include "comm/communicator.hpp"
#include "io/ranks.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/group/group_words.hpp"

namespace mesowarp {
namespace {

// Of all ranks, ascending: ranks have blocks of tags that follow each other.
std::vector<std::uint32_t> ofAllRanks(const std::vector<std::uint32_t>& mine, const comm::Communicator* ranks) {
  if (!ranks) return mine;
  return ranks->toEach(std::vector<std::vector<std::uint32_t>>(static_cast<std::size_t>(ranks->size()), mine));
}

// Terms of so many members, all of which must be among these tags, by their places there.
void renumber(std::vector<std::uint32_t>& terms, std::size_t members, const std::vector<std::uint32_t>& tags) {
  std::vector<std::uint32_t> kept;
  for (std::size_t k = 0; k + members <= terms.size(); k += members) {
    const std::size_t before = kept.size();
    for (std::size_t m = 0; m < members; ++m) {
      const auto at = std::lower_bound(tags.begin(), tags.end(), terms[k + m]);
      if (at == tags.end() || *at != terms[k + m]) break;
      kept.push_back(static_cast<std::uint32_t>(at - tags.begin()));
    }
    if (kept.size() != before + members) kept.resize(before);
  }
  terms = std::move(kept);
}

template <class T>
void keep(std::vector<T>& values, const std::vector<std::size_t>& rows, std::size_t particles) {
  if (values.empty() || particles == 0) return;
  const std::size_t width = values.size() / particles;
  std::vector<T> kept;
  kept.reserve(rows.size() * width);
  for (const std::size_t row : rows)
    for (std::size_t w = 0; w < width; ++w) kept.push_back(values[row * width + w]);
  values = std::move(kept);
}

}  // namespace

GroupFrames::GroupFrames(const input::Deck& deck, const std::vector<std::string>& names) {
  for (const auto& name : names) bits_ |= group::bitOf(deck, name);
}

void GroupFrames::find(const Population& population, const io::Snapshot& snapshot) {
  const auto words = group::groupWords(population);
  for (std::size_t row = 0; row < words.size(); ++row)
    if ((words[row] & bits_) != 0) rows_.push_back(row), tags_.push_back(snapshot.tag[row]);
  found_ = true;
}

void GroupFrames::choose(const Population& population, bool first, io::Snapshot& s) {
  if (!found_) find(population, s);
  const std::size_t n = s.tag.size();
  keep(s.species, rows_, n), keep(s.mass, rows_, n), keep(s.position, rows_, n), keep(s.image, rows_, n);
  keep(s.velocity, rows_, n), keep(s.force, rows_, n), keep(s.concentration, rows_, n), keep(s.molecule, rows_, n);
  const auto* ranks = population.ranks();
  const io::RowShare share = io::shareOf(io::several(ranks), static_cast<std::int64_t>(rows_.size()));
  s.first = share.first, s.total = share.total;
  s.tag.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k)
    s.tag[k] = static_cast<std::uint32_t>(share.first) + static_cast<std::uint32_t>(k);
  s.own.clear();
  if (!first) return;
  const auto tags = ofAllRanks(tags_, io::several(ranks));
  renumber(s.bonds, 2, tags), renumber(s.angles, 3, tags), renumber(s.dihedrals, 4, tags);
}

}  // namespace mesowarp
