// Ghosts on several ranks for bonds: forces need them to cutoff + skin, but a bond's other end may be further away. A
// FENE bond is r_max long at most, so ghosts reach that far if the parts and the box have room; where they have not, a
// bond that leaves the reach ends the run with a message.
#pragma once

#include <algorithm>
#include <array>

#include "comm/decomposition.hpp"

namespace mesowarp {

// reach: what is needed; wanted: what would be better, length; parts: of the box along each axis. Cells, and with them
// the order of sums, go by the reach: so that the bits of decks stay, every axis has the room of a periodic one.
inline double reachWithRoom(double reach, double wanted, Box box, const std::array<int, 3>& parts) {
  box.periodic = {true, true, true};
  return std::max(reach, std::min(wanted, comm::widestReach(box, parts) * (1.0 - 1e-6)));
}

}  // namespace mesowarp
