// The vertices of a population of membranes in a step, for recorders.
#pragma once

#include <vector>

#include "io/h5md/snapshot.hpp"
#include "run/recorders/recorder.hpp"

namespace mesowarp {

// Three numbers a vertex, unwrapped, in the order of tags; on the root, elsewhere nothing. first, count: their tags.
// Snapshots have rows in the order of tags; on several ranks each has a block of them. Collective.
inline std::vector<double> cellVertices(const io::Snapshot& s, i64 first, i64 count, const comm::Communicator* ranks) {
  std::vector<double> places, all;
  const i64 begin = s.first, end = begin + static_cast<i64>(s.tag.size());
  for (i64 t = std::max(begin, first); t < std::min(end, first + count); ++t)
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t at = 3 * static_cast<std::size_t>(t - begin) + a;
      places.push_back(s.position[at] + s.image[at] * s.box[a]);
    }
  if (!ranks) return places;
  ranks->inTurn(places, [&](const std::vector<double>& of) { all.insert(all.end(), of.begin(), of.end()); });
  return all;
}

}  // namespace mesowarp
