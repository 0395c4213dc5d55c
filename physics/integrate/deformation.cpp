#include "physics/integrate/deformation.hpp"

#include <algorithm>
#include <string>

namespace mesowarp {

EdgeTables edgeTables(const input::Deck& deck) {
  EdgeTables tables;
  for (const ScheduleKeys& keys : schedulesOf(deck))
    for (std::size_t a = 0; a < 3; ++a)
      if (keys.key == std::string("box.size.") + "xyz"[a]) tables[a] = keys;
  return tables;
}

std::array<double, 3> deformedSize(const DeformationKeys& keys, const std::array<double, 3>& start, double timestep,
                                   i64 step) {
  const i64 last = keys.to > 0 ? std::min(step, keys.to) : step, steps = std::max<i64>(last - keys.from, 0);
  std::array<double, 3> size = start;
  for (std::size_t a = 0; a < 3; ++a) {
    if (keys.size[a] > 0.0)
      size[a] = last == keys.to ? keys.size[a]
                                : start[a] + (keys.size[a] - start[a]) * static_cast<double>(steps) /
                                                 static_cast<double>(keys.to - keys.from);
    else
      size[a] = start[a] * (1.0 + keys.rate[a] * timestep * static_cast<double>(steps));
  }
  return size;
}

}  // namespace mesowarp
