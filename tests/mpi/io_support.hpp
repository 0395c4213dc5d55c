// For the tests of files that several ranks share: a directory all agree on, parts of arrays, files compared object by
// object.
#pragma once

#include <hdf5.h>
#include <map>
#include <optional>
#include <string>

#include "comm/communicator.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::io::test {

// Made and removed by the root; its construction and destruction are collective.
class SharedDirectory {
public:
  explicit SharedDirectory(const comm::Communicator& ranks) : ranks_(ranks) {
    if (ranks_.root()) own_.emplace();
    path_ = ranks_.fromRank(0, own_ ? own_->path() : "");
  }
  ~SharedDirectory() { ranks_.barrier(); }
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
  const comm::Communicator& ranks_;
  std::optional<TemporaryDirectory> own_;
  std::string path_;
};

// Row at which a rank's part of `total` rows begins: parts of unequal size, some of them empty.
inline std::size_t unequalFirst(const comm::Communicator& ranks, int rank, std::size_t total) {
  const auto r = static_cast<std::size_t>(rank), n = static_cast<std::size_t>(ranks.size());
  return total * r * r / (n * n);
}

// A rank's part of a snapshot.
inline Snapshot partOf(const Snapshot& all, std::size_t first, std::size_t last) {
  Snapshot part = all;
  const auto cut = [&](auto& array, std::size_t width) {
    using Array = std::remove_reference_t<decltype(array)>;
    if (!array.empty()) array = Array(array.begin() + first * width, array.begin() + last * width);
  };
  part.first = static_cast<std::int64_t>(first);
  part.total = static_cast<std::int64_t>(all.position.size() / 3);
  cut(part.tag, 1), cut(part.species, 1), cut(part.mass, 1);
  cut(part.position, 3), cut(part.image, 3), cut(part.velocity, 3), cut(part.force, 3);
  part.bonds.clear();
  for (std::size_t b = 0; b < all.bonds.size(); b += 2)
    if (all.bonds[b] >= first && all.bonds[b] < last)
      part.bonds.insert(part.bonds.end(), {all.bonds[b], all.bonds[b + 1]});
  return part;
}

// Every dataset's and attribute's type, shape and bytes, by path; of references to objects only that they are there.
std::map<std::string, std::string> contentOf(const std::string& path);

// Every rank's own view of whether something holds on all of them.
inline bool onEvery(const comm::Communicator& ranks, bool holds) { return ranks.largest(!holds) == 0; }

}  // namespace mesowarp::io::test
