// In which order a pass goes through the bricks of a rank that shares cells with neighbours: first those whose
// particles may come to such a cell, so that its sums travel while the pass goes on with the others. Particles of these
// are far from all shared cells when they are sorted, and one that comes nearer is reported, in time to sort anew.
// Bricks beyond the domain are left out: particles are sorted where all are within it. Their windows stay zero.
#pragma once

#include <stdexcept>

#include "kernels/bricks/cell_parts.hpp"

namespace mesowarp {

struct BrickOrder {
  const int* bricks = nullptr;  // on the device; null: all, in their order
  int number = 0;               // of them
  int first = 0;                // so many come first,
  int* gate = nullptr;          // and are counted there as they are done (SideStream::afterGate)
  InnerCells calm;              // where particles of the others are to be
  int* near = nullptr;          // set to 1 when one of them is elsewhere
  // One more block of a GPU's threads ends when that word is `turn`, and the pass with it; null: there is none.
  const int* come = nullptr;
  int turn = 0;
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
    auto [inside, all] = bricksInside(grid, start);
    if (inside.empty()) return;
    std::erase_if(all, [&](int brick) { return !isOfDomain(grid, brick); });
    first_ = static_cast<int>(all.size());
    all.insert(all.end(), inside.begin(), inside.end());
    bricks_ = toDevice<int>("bricks in order", all);
  }
  bool any() const { return first_ > 0; }
  int first() const { return first_; }
  double share() const { return any() ? static_cast<double>(first_) / number() : 1.0; }  // of those that come first
  BrickOrder order(int* gate, int* near) const { return {bricks_.data(), number(), first_, gate, calm_, near}; }
  // start: [bricks + 1], first particle of each. Throws std::logic_error if some are in bricks that are left out.
  void expectNoneBeyond(const DeviceArray<int>& start) const {
    const auto begin = hostCopy(start), listed = hostCopy(bricks_);
    int within = 0;
    for (int k = 0; k < number(); ++k) within += begin(listed(k) + 1) - begin(listed(k));
    if (within != begin(begin.extent(0) - 1))
      throw std::logic_error("solvent beyond its rank's domain as it is sorted");
  }
  std::size_t bytes() const { return bricks_.extent(0) * sizeof(int); }

private:
  int number() const { return static_cast<int>(bricks_.extent(0)); }
  InnerCells calm_;
  DeviceArray<int> bricks_;
  int first_ = 0;
};

}  // namespace mesowarp
