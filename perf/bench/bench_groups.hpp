// Some of the ranks together, for scaling: 1, 2, 4, … of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"

namespace mesowarp {

// 1, 2, 4, …, and all.
inline std::vector<int> rankNumbers(int all) {
  std::vector<int> numbers;
  for (int n = 1; n < all; n *= 2) numbers.push_back(n);
  numbers.push_back(all);
  return numbers;
}

inline double slowest(const comm::Communicator& ranks, double seconds) {
  return 1e-9 * static_cast<double>(ranks.largest(static_cast<std::int64_t>(1e9 * seconds)));
}

// What the ranks of one group measure together; those without a group wait. Collective among all.
constexpr int noGroup = MPI_UNDEFINED;
template <class Measured>
std::optional<Measured> inGroup(const comm::Communicator& ranks, int group,
                                const std::function<Measured(const comm::Communicator&)>& measure) {
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(ranks.handle(), group, ranks.rank(), &some);
  std::optional<Measured> measured;
  if (some != MPI_COMM_NULL) {
    {
      const comm::Communicator members(some);
      measured = measure(members);
    }
    MPI_Comm_free(&some);
  }
  ranks.barrier();
  return measured;
}

// So many boxes side by side, as near to a cube as the number allows.
inline std::array<int, 3> sideBySide(int count) {
  std::array<int, 3> best{1, 1, count};
  for (int x = 1; x * x * x <= count; ++x)
    for (int y = x; x * y * y <= count; ++y)
      if (count % (x * y) == 0) best = {x, y, count / (x * y)};
  return best;
}

}  // namespace mesowarp
