#include "io/convert/molecules.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

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

std::size_t bondBlocks(const std::string& deck) {
  std::size_t blocks = 0;
  for (std::size_t at = 0; (at = deck.find("[[bond]]", at)) != std::string::npos; ++at)
    if (at == 0 || deck[at - 1] == '\n') ++blocks;
  return blocks;
}

using Ends = std::pair<std::uint32_t, std::uint32_t>;

// Each bond stands in the rows of both its particles (state/particles.hpp), empty places hold the largest tag.
std::map<Ends, int> typesInCheckpoint(const std::string& path) {
  const CheckpointContent content = readCheckpoint(path);
  const auto tag = elementsOf<std::uint32_t>(content, "tag"),
             partner = elementsOf<std::uint32_t>(content, "bond_partner");
  const auto type = elementsOf<std::int32_t>(content, "bond_type");
  std::map<Ends, int> types;
  if (tag.empty() || partner.size() != type.size() || partner.size() % tag.size() != 0) return types;
  const std::size_t width = partner.size() / tag.size();
  for (std::size_t slot = 0; slot < partner.size(); ++slot)
    if (partner[slot] != std::numeric_limits<std::uint32_t>::max())
      types[std::minmax(tag[slot / width], partner[slot])] = type[slot] + 1;
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

std::vector<int> bondTypesOf(const std::string& trajectory, const std::string& deck,
                             const std::vector<std::uint32_t>& bonds) {
  std::vector<int> types(bonds.size() / 2, 1);
  if (bondBlocks(deck) < 2 || bonds.empty()) return types;
  const auto folder = std::filesystem::path(trajectory).parent_path();
  const auto checkpoint = newestCheckpoint(folder.empty() ? "." : folder.string());
  if (!checkpoint)
    throw InputError(
        fmt::format("{}: its deck has several [[bond]] blocks, and only a checkpoint beside it tells which "
                    "bond is of which: there is none; add [[output]] format = \"checkpoint\"",
                    trajectory));
  const auto known = typesInCheckpoint(*checkpoint);
  for (std::size_t b = 0; b < types.size(); ++b) {
    const auto found = known.find(std::minmax(bonds[2 * b], bonds[2 * b + 1]));
    if (found == known.end())
      throw InputError(fmt::format("{}: {} has other bonds, so it is of another run", trajectory, *checkpoint));
    types[b] = found->second;
  }
  return types;
}

}  // namespace mesowarp::io
