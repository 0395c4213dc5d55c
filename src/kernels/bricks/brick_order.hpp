// In which order a pass goes through the bricks of a rank that shares cells with neighbours: first those whose
// particles may come to such a cell, so that its sums travel while the pass goes on with the others. Particles of these
// are far from all shared cells when they are sorted, and one that comes nearer is reported, in time to sort anew.
// Bricks beyond the domain, which have no particles but now and then, come behind those that have: a GPU's first blocks
// begin early, while records are still being made, and are best such as have something to load.
#pragma once

#include <algorithm>

#include "kernels/bricks/cell_parts.hpp"

namespace mesowarp {

struct BrickOrder {
  const int* bricks = nullptr;  // on the device; null: all, in their order
  int first = 0;                // so many come first,
  int* gate = nullptr;          // and are counted there as they are done (SideStream::afterGate)
  InnerCells calm;              // where particles of the others are to be
  int* near = nullptr;          // set to 1 when one of them is elsewhere
};

class SharedFirst {
public:
  SharedFirst() = default;
  // own: cells that no neighbour has; away: so many cells from all others the particles that come last must be; toGo:
  // and so many more from there when they are sorted.
  SharedFirst(const BrickGrid& grid, const InnerCells& own, int away, int toGo) : calm_(own) {
    for (int axis = 0; axis < 3; ++axis)
      if (!own.whole(grid, axis)) calm_.low[axis] += away, calm_.high[axis] -= away;
    InnerCells start = calm_;
    for (int axis = 0; axis < 3; ++axis)
      if (!own.whole(grid, axis)) start.low[axis] += toGo, start.high[axis] -= toGo;
    auto [inside, others] = bricksInside(grid, start);
    if (inside.empty()) return;
    const auto beyond =
        std::stable_partition(others.begin(), others.end(), [&](int brick) { return isOfDomain(grid, brick); });
    const double early = static_cast<double>(beyond - others.begin());
    share_ = early / (early + static_cast<double>(inside.size()));
    first_ = static_cast<int>(others.size());
    others.insert(others.end(), inside.begin(), inside.end());
    bricks_ = toDevice<int>("bricks in order", others);
  }
  bool any() const { return first_ > 0; }
  int first() const { return first_; }
  double share() const { return share_; }  // of the domain's bricks that come first; all, if there is no order
  BrickOrder order(int* gate, int* near) const { return {bricks_.data(), first_, gate, calm_, near}; }
  std::size_t bytes() const { return bricks_.extent(0) * sizeof(int); }

private:
  InnerCells calm_;
  double share_ = 1.0;
  DeviceArray<int> bricks_;
  int first_ = 0;
};

}  // namespace mesowarp
