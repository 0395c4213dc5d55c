#include "io/convert/molecules.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace mesowarp::io {

namespace {

// The root of a particle's tree; each is hung to the one above its parent on the way.
std::size_t rootOf(std::vector<std::size_t>& parent, std::size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

template <class T>
std::vector<T> elementsOf(const CheckpointContent& content, const std::string& name) {
  const auto found = content.arrays.find(name);
  if (found == content.arrays.end()) return {};
  std::vector<T> values(found->second.data.size() / sizeof(T));
  std::memcpy(values.data(), found->second.data.data(), values.size() * sizeof(T));
  return values;
}

std::size_t blocksOf(const std::string& deck, const std::string& name) {
  const std::string header = "[[" + name + "]]";
  std::size_t blocks = 0;
  for (std::size_t at = 0; (at = deck.find(header, at)) != std::string::npos; ++at)
    if (at == 0 || deck[at - 1] == '\n') ++blocks;
  return blocks;
}

// Tags along a term; a bond's in their order, since it has no direction.
using Members = std::vector<std::uint32_t>;
Members keyOf(Members members) {
  if (members.size() == 2) std::sort(members.begin(), members.end());
  return members;
}

// Each term stands in the rows of all its particles, empty places hold the largest tag. Bonds (state/particles.hpp)
// have their type there, longer terms (physics/topology/term.hpp) the type times members, and the particle's place: of
// these the first one's row has them in their order.
std::map<Members, std::deque<int>> typesInCheckpoint(const std::string& path, const std::string& name,
                                                     std::size_t members) {
  const CheckpointContent content = readCheckpoint(path);
  const auto tag = elementsOf<std::uint32_t>(content, "tag"),
             partner = elementsOf<std::uint32_t>(content, name + "_partner");
  const auto type = elementsOf<std::int32_t>(content, name + "_type");
  std::map<Members, std::deque<int>> types;  // several terms may be of the same particles
  const std::size_t others = members - 1;
  if (tag.empty() || partner.size() != type.size() * others || type.size() % tag.size() != 0) return types;
  const std::size_t width = type.size() / tag.size();
  for (std::size_t slot = 0; slot < type.size(); ++slot) {
    const auto first = partner.begin() + static_cast<std::ptrdiff_t>(slot * others);
    const int places = members == 2 ? 1 : static_cast<int>(members);
    if (*first == std::numeric_limits<std::uint32_t>::max() || type[slot] % places != 0) continue;
    if (members == 2 && *first < tag[slot / width]) continue;  // a bond stands in both of its rows
    Members term{tag[slot / width]};
    term.insert(term.end(), first, first + static_cast<std::ptrdiff_t>(others));
    types[keyOf(std::move(term))].push_back(type[slot] / places + 1);
  }
  return types;
}

}  // namespace

std::vector<std::int64_t> moleculesOf(const std::vector<std::uint32_t>& bonds, std::size_t count) {
  if (bonds.empty()) return {};
  std::vector<std::size_t> parent(count);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  std::vector<bool> bonded(count, false);
  for (std::size_t b = 0; b + 1 < bonds.size(); b += 2) {
    if (bonds[b] >= count || bonds[b + 1] >= count) throw RunError("a bond names a particle that does not exist");
    bonded[bonds[b]] = bonded[bonds[b + 1]] = true;
    const std::size_t one = rootOf(parent, bonds[b]), other = rootOf(parent, bonds[b + 1]);
    parent[std::max(one, other)] = std::min(one, other);
  }
  std::vector<std::int64_t> molecule(count, 0), number(count, 0);
  std::int64_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!bonded[i]) continue;
    std::int64_t& here = number[rootOf(parent, i)];
    if (here == 0) here = ++last;
    molecule[i] = here;
  }
  return molecule;
}

std::vector<int> termTypesOf(const H5mdReader& trajectory, const std::string& name, std::size_t members,
                             const std::vector<std::uint32_t>& terms) {
  std::vector<int> types(terms.size() / members, 1);
  if (blocksOf(trajectory.deck(), name) < 2 || terms.empty()) return types;
  const auto folder = std::filesystem::path(trajectory.path()).parent_path();
  const auto checkpoint = newestCheckpoint(folder.empty() ? "." : folder.string());
  if (!checkpoint)
    throw InputError(
        fmt::format("{0}: its deck has several [[{1}]] blocks, and only a checkpoint beside it tells which "
                    "{1} is of which: there is none; add [[output]] format = \"checkpoint\"",
                    trajectory.path(), name));
  auto known = typesInCheckpoint(*checkpoint, name, members);
  const auto& tags = trajectory.runTags();
  for (std::size_t t = 0; t < types.size(); ++t) {
    const auto first = terms.begin() + static_cast<std::ptrdiff_t>(t * members);
    Members term(first, first + static_cast<std::ptrdiff_t>(members));
    for (std::uint32_t& id : term)
      if (id < tags.size()) id = tags[id];
    const auto found = known.find(keyOf(std::move(term)));
    if (found == known.end() || found->second.empty())
      throw InputError(
          fmt::format("{}: {} has other {}s, so it is of another run", trajectory.path(), *checkpoint, name));
    types[t] = found->second.front();
    found->second.pop_front();
  }
  return types;
}

}  // namespace mesowarp::io
