// Where particles of a brick go as they are sorted anew: nearly all stay, or come to a brick around it. So a brick has
// a counter for each of the 27 that they come from, which only one block of a GPU's threads adds to, and one for all
// others, in which particles come that nobody knows the brick before of.
#pragma once

#include "core/direction.hpp"
#include "kernels/bricks/sort/brick_coordinates.hpp"

namespace mesowarp {

class BrickWays {
public:
  static constexpr int elsewhere = direction::count, none = -1, count = direction::count + 1;

  KOKKOS_INLINE_FUNCTION BrickWays(const BrickGrid& grid, int brick) {
    const int place[3] = {brick % grid.bricks[0], brick / grid.bricks[0] % grid.bricks[1],
                          brick / (grid.bricks[0] * grid.bricks[1])};
    for (int axis = 0; axis < 3; ++axis) {
      at_[axis] = place[axis], cells_[axis] = grid.cells[axis];
      const bool round = isRound(grid, axis);
      const int bricks = grid.bricks[axis], own = place[axis] * grid.edge[axis];
      before_[axis] = place[axis] > 0       ? grid.edge[axis]
                      : round && bricks > 1 ? grid.span[axis] - (bricks - 1) * grid.edge[axis]
                                            : 0;
      const int width = edgeOf(grid, axis, place[axis]);
      // Of two around a period the other one is before, and not behind, too.
      const int behind = place[axis] + 1 < bricks ? (round && bricks == 2 ? 0 : edgeOf(grid, axis, place[axis] + 1))
                         : round && bricks > 2    ? grid.edge[axis]
                                                  : 0;
      end_[axis] = before_[axis] + width, last_[axis] = end_[axis] + behind;
      first_[axis] = (grid.first[axis] + own - before_[axis] + grid.cells[axis]) % grid.cells[axis];
    }
  }

  // From the brick to that of leading bits: a direction, or elsewhere.
  KOKKOS_FORCEINLINE_FUNCTION int way(const u32 (&leading)[3]) const {
    int side[3];
    bool around = true;
    for (int axis = 0; axis < 3; ++axis) {
      const int in = cellBehindFirst(leading[axis], cells_[axis], first_[axis]);
      side[axis] = (in >= before_[axis] ? 0 : -1) + (in >= end_[axis] ? 1 : 0);
      around = around && in < last_[axis];
    }
    return around ? direction::of(side[0], side[1], side[2]) : elsewhere;
  }
  // The brick that way; none: there is none.
  KOKKOS_INLINE_FUNCTION int at(const BrickGrid& grid, int way) const {
    int to[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int bricks = grid.bricks[axis];
      to[axis] = at_[axis] + direction::along(way, axis);
      if (isRound(grid, axis)) to[axis] = (to[axis] + bricks) % bricks;
      if (to[axis] < 0 || to[axis] >= bricks) return none;
    }
    return grid.brickAt(to);
  }
  // Of `count` for each brick: the counter of those that come that way.
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t counter(int brick, int way) {
    return static_cast<std::size_t>(brick) * count + static_cast<std::size_t>(way);
  }

private:
  KOKKOS_INLINE_FUNCTION static bool isRound(const BrickGrid& grid, int axis) {
    return grid.span[axis] == grid.cells[axis];
  }
  KOKKOS_INLINE_FUNCTION static int edgeOf(const BrickGrid& grid, int axis, int brick) {
    const int left = grid.span[axis] - brick * grid.edge[axis];
    return left < grid.edge[axis] ? left : grid.edge[axis];
  }
  int at_[3], cells_[3];
  int first_[3];                      // first cell of the brick before, counted from the period's
  int before_[3], end_[3], last_[3];  // from there: of the brick itself, behind it, behind the next one
};

// What a pass needs to store its particles in the order of their bricks.
struct BrickPlaces {
  int* next = nullptr;  // the next place of each counter; null: particles stay where they are
  DomainBounds stay{};  // who lies beyond these as it begins has left, and is not there any more
  int came = 0;         // behind all particles that have been sorted before
};

}  // namespace mesowarp
