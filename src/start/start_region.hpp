// Where the particles of a population start, if not anywhere in the box.
#pragma once

#include <array>
#include <functional>
#include <string>

namespace mesowarp {

struct StartRegion {
  std::string words;  // names of [[shape]] blocks with not, and, or and brackets; empty: anywhere
  // Of these: physics/boundary/deck/region.hpp.
  double part = 1.0;                    // of the box' volume
  std::array<double, 3> low{}, high{};  // edges of a block that has all of it
  std::function<bool(const std::array<double, 3>&)> inside;

  // Of the block.
  double volumeAround() const { return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]); }
};

}  // namespace mesowarp
