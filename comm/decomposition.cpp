#include "comm/decomposition.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "core/error.hpp"

namespace mesowarp::comm {
namespace {

// Volume of the ghosts around a part: what travels is proportional to it.
double haloVolume(const std::array<int, 3>& parts, const std::array<double, 3>& size, double reach) {
  double own = 1.0, around = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double side = size[axis] / parts[axis];
    own *= side, around *= side + (parts[axis] > 1 ? 2.0 * reach : 0.0);
  }
  return around - own;
}

// The division of `count` into three factors that `allowed` likes and that has the least halo.
template <class Allowed>
std::optional<std::array<int, 3>> bestFactors(int count, const std::array<double, 3>& size, double reach,
                                              const Allowed& allowed) {
  std::optional<std::array<int, 3>> best;
  double least = std::numeric_limits<double>::infinity();
  for (int x = 1; x <= count; ++x) {
    if (count % x != 0) continue;
    for (int y = 1; y <= count / x; ++y) {
      if (count / x % y != 0) continue;
      const std::array<int, 3> parts{x, y, count / x / y};
      if (!allowed(parts)) continue;
      const double halo = haloVolume(parts, size, reach);
      if (halo < least * (1.0 - 1e-12)) best = parts, least = halo;
    }
  }
  return best;
}

int mostParts(const Box& box, int axis, double reach, const Shear& shear) {
  int most = std::max(1, static_cast<int>(std::min(box.size[axis] / reach, 1e6)));
  while (most > 1 && !fits(box, axis, most, reach, shear)) --most;
  return most;
}

std::string list(const std::array<int, 3>& parts) {
  return std::to_string(parts[0]) + " x " + std::to_string(parts[1]) + " x " + std::to_string(parts[2]);
}

}  // namespace

double widestReach(const Box& box, int axis, int parts, const Shear& shear) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (parts == 1) return infinite;
  if (shear.on && axis == shear.flow) return -infinite;        // the neighbours along it would change
  const double width = box.size[axis] / parts * (1.0 - 1e-8);  // parts differ by a tick
  const bool repeats = box.periodic[axis] || (shear.on && axis == shear.gradient);
  return parts == 2 && repeats ? 0.5 * width : width;
}

double widestReach(const Box& box, const std::array<int, 3>& parts, const Shear& shear) {
  double widest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis)
    widest = std::min({widest, 0.5 * box.size[axis], widestReach(box, axis, parts[axis], shear)});
  return widest;
}

bool fits(const Box& box, int axis, int parts, double reach, const Shear& shear) {
  return reach <= widestReach(box, axis, parts, shear);
}

std::array<int, 3> decompose(int ranks, const Box& box, double reach, const Shear& shear, const std::string& reachIs) {
  const auto allowed = [&](const std::array<int, 3>& parts) {
    return fits(box, 0, parts[0], reach, shear) && fits(box, 1, parts[1], reach, shear) &&
           fits(box, 2, parts[2], reach, shear);
  };
  if (const auto parts = bestFactors(ranks, box.size, reach, allowed)) return *parts;
  std::array<int, 3> most{};
  long long largest = 1;
  for (int axis = 0; axis < 3; ++axis) largest *= most[axis] = mostParts(box, axis, reach, shear);
  std::string message = "the box cannot be cut into " + std::to_string(ranks) + " parts that are no thinner than " +
                        reachIs + " (" + std::to_string(reach) + "); the largest possible number of ranks is " +
                        std::to_string(largest) + " (" + list(most) + ")";
  for (int fewer = static_cast<int>(std::min<long long>(ranks - 1, largest)); fewer > 0; --fewer)
    if (const auto parts = bestFactors(fewer, box.size, reach, allowed)) {
      if (fewer < largest)
        message += "; the next smaller number that works is " + std::to_string(fewer) + " (" + list(*parts) + ")";
      break;
    }
  throw InputError(message);
}

void checkDecomposition(const std::array<int, 3>& parts, int ranks, const Box& box, double reach, const Shear& shear,
                        const std::string& reachIs) {
  if (static_cast<long long>(parts[0]) * parts[1] * parts[2] != ranks)
    throw InputError("parallel.ranks cuts the box into " + list(parts) + " parts, but " + std::to_string(ranks) +
                     (ranks == 1 ? " rank was" : " ranks were") +
                     " started: start as many ranks, or leave parallel.ranks out");
  if (shear.on && parts[shear.flow] > 1)
    throw InputError(std::string("parallel.ranks cuts the box along ") + "xyz"[shear.flow] +
                     ", the flow of the sheared box: cut it along the other axes alone");
  for (int axis = 0; axis < 3; ++axis)
    if (!fits(box, axis, parts[axis], reach, shear))
      throw InputError("parallel.ranks: " + std::to_string(parts[axis]) + " parts along " + "xyz"[axis] +
                       " would be thinner than " + reachIs + " (" + std::to_string(reach) + ") allows; at most " +
                       std::to_string(mostParts(box, axis, reach, shear)) + " fit");
}

std::vector<std::array<int, 3>> placeRanks(const std::array<int, 3>& parts, const std::array<double, 3>& boxSize,
                                           const std::vector<int>& nodeOf) {
  const int ranks = static_cast<int>(nodeOf.size());
  std::map<int, std::vector<int>> nodes;
  for (int rank = 0; rank < ranks; ++rank) nodes[nodeOf[static_cast<std::size_t>(rank)]].push_back(rank);
  const int perNode = static_cast<int>(nodes.begin()->second.size());
  std::array<int, 3> block{1, 1, 1};
  if (std::all_of(nodes.begin(), nodes.end(),
                  [&](const auto& node) { return static_cast<int>(node.second.size()) == perNode; })) {
    std::array<double, 3> part{};
    for (int axis = 0; axis < 3; ++axis) part[axis] = boxSize[axis] / parts[axis];
    // Of blocks, those of the least outer surface.
    double least = std::numeric_limits<double>::infinity();
    for (int x = 1; x <= perNode; ++x)
      for (int y = 1; perNode % x == 0 && y <= perNode / x; ++y) {
        const std::array<int, 3> b{x, y, perNode / x / y};
        if (perNode / x % y != 0 || parts[0] % b[0] != 0 || parts[1] % b[1] != 0 || parts[2] % b[2] != 0) continue;
        double surface = 0.0;
        for (int axis = 0; axis < 3; ++axis)
          if (b[axis] < parts[axis])
            surface += 2.0 * part[(axis + 1) % 3] * b[(axis + 1) % 3] * part[(axis + 2) % 3] * b[(axis + 2) % 3];
        if (surface < least * (1.0 - 1e-12)) block = b, least = surface;
      }
  }
  const auto place = [](int number, const std::array<int, 3>& n) {
    return std::array<int, 3>{number % n[0], number / n[0] % n[1], number / n[0] / n[1]};
  };
  std::vector<std::array<int, 3>> places(static_cast<std::size_t>(ranks));
  const bool blocks = block[0] * block[1] * block[2] == perNode;
  if (!blocks) {
    for (int rank = 0; rank < ranks; ++rank) places[static_cast<std::size_t>(rank)] = place(rank, parts);
    return places;
  }
  int node = 0;
  for (const auto& [id, members] : nodes) {
    const auto corner = place(node++, {parts[0] / block[0], parts[1] / block[1], parts[2] / block[2]});
    for (int k = 0; k < perNode; ++k) {
      const auto within = place(k, block);
      for (int axis = 0; axis < 3; ++axis)
        places[static_cast<std::size_t>(members[static_cast<std::size_t>(k)])][axis] =
            corner[axis] * block[axis] + within[axis];
    }
  }
  return places;
}

}  // namespace mesowarp::comm
