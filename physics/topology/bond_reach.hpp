// Ghosts on several ranks for bonds: forces need them to cutoff + skin, but a bond's other end may be further away. A
// FENE bond is r_max long at most, so ghosts reach that far if the parts and the box have room; where they have not, a
// bond that leaves the reach ends the run with a message.
#pragma once

#include <algorithm>
#include <array>

#include "core/box.hpp"

namespace mesowarp {

// reach: what is needed; wanted: what would be better, length; parts: of the box along each axis. Of two parts the
// neighbours on both sides are one, whose ghosts must differ.
inline double reachWithRoom(double reach, double wanted, const Box& box, const std::array<int, 3>& parts) {
  for (int axis = 0; axis < 3; ++axis)
    wanted = std::min(wanted, box.size[axis] / std::max(2, parts[axis] == 2 ? 4 : parts[axis]) * (1.0 - 1e-6));
  return std::max(reach, wanted);
}

}  // namespace mesowarp
