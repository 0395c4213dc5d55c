// Sums of one bin of a profile, over particles and samples.
#pragma once

#include <array>
#include <vector>

namespace mesowarp {

struct BinSums {
  double count = 0.0, mass = 0.0;
  std::array<double, 3> momentum{};
  double kinetic = 0.0;         // sum of m v^2
  std::vector<double> further;  // sums of what particles carry beside, as many numbers of it as are asked for
};

constexpr int binChannels = 6;  // count, mass, momentum (3), m v^2

}  // namespace mesowarp
