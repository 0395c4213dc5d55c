// The vertices of a population of membranes in a step, for recorders.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/types.hpp"
#include "io/h5md/snapshot.hpp"

namespace mesowarp::membrane {

// Three numbers a vertex, unwrapped, in the order of tags; on the root, elsewhere nothing. first, count: their tags.
// Snapshots have rows in the order of tags; on several ranks each has a block of them. Collective.
inline std::vector<double> cellVertices(const io::Snapshot& s, i64 first, i64 count, const comm::Communicator* ranks) {
  std::vector<double> places, all;
  const i64 begin = s.first, end = begin + static_cast<i64>(s.tag.size());
  places.reserve(3 * static_cast<std::size_t>(count));
  for (i64 t = std::max(begin, first); t < std::min(end, first + count); ++t)
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t at = 3 * static_cast<std::size_t>(t - begin) + a;
      places.push_back(s.position[at] + s.shift(static_cast<std::size_t>(t - begin), a));
    }
  if (!ranks) return places;
  ranks->inTurn(places, [&](const std::vector<double>& of) { all.insert(all.end(), of.begin(), of.end()); });
  return all;
}

// `width` numbers a vertex of a field of a method's own, likewise. The field is in the snapshot.
inline std::vector<double> cellValues(const io::Snapshot& s, const std::string& field, std::size_t width, i64 first,
                                      i64 count, const comm::Communicator* ranks) {
  const auto own = std::find_if(s.own.begin(), s.own.end(), [&](const auto& one) { return one.name == field; });
  std::vector<double> values, all;
  const i64 begin = s.first, end = begin + static_cast<i64>(s.tag.size());
  for (i64 t = std::max(begin, first); t < std::min(end, first + count) && own != s.own.end(); ++t)
    for (std::size_t k = 0; k < width; ++k) {
      const std::byte* at =
          own->data.data() + static_cast<std::size_t>(t - begin) * own->rowBytes + k * own->numberBytes;
      float number = 0.0F;
      double wide = 0.0;
      if (own->numberBytes == sizeof(float))
        std::memcpy(&number, at, sizeof(number)), wide = static_cast<double>(number);
      else
        std::memcpy(&wide, at, sizeof(wide));
      values.push_back(wide);
    }
  if (!ranks) return values;
  ranks->inTurn(values, [&](const std::vector<double>& of) { all.insert(all.end(), of.begin(), of.end()); });
  return all;
}

}  // namespace mesowarp::membrane
