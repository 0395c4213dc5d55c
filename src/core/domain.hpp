// A rank's part of the box, and where its neighbours are. On one rank it is the whole box.
//
// The box is cut into equal parts along each axis (comm/decomposition.hpp chooses how), to within one tick of the
// leading 32 bits of coordinates. A particle belongs to the rank whose part its leading bits are in, so every rank
// agrees on it without a word. Positions stay fractions of the whole box: bits do not know the ranks, nearest images
// are still plain subtraction, and a ghost needs no shift.
#pragma once

#include <array>
#include <vector>

#include "core/direction.hpp"
#include "core/types.hpp"

namespace mesowarp {

struct Domain {
  std::array<int, 3> ranks{1, 1, 1};  // parts along each axis
  std::array<int, 3> at{0, 0, 0};     // which of them
  std::array<bool, 3> periodic{true, true, true};
  std::vector<int> rankOfPart;  // by number(); empty: the number itself
  // The axis across which a sheared box' images slide (core/shear.hpp); -1: none. Coordinates do not wrap along it, but
  // ghosts come from beyond its faces, on one part from itself.
  int sheared = -1;

  // Whether ghosts lie beyond this domain along an axis.
  bool cut(int axis) const { return ranks[axis] > 1 || axis == sheared; }
  bool whole() const { return !cut(0) && !cut(1) && !cut(2); }
  // First tick of part p, of the leading 32 bits; p may be ranks[axis].
  u64 edge(int axis, int p) const { return ((periodic[axis] ? u64{1} << 32 : u64{1} << 31) * p) / ranks[axis]; }
  u64 low(int axis) const { return edge(axis, at[axis]); }
  u64 width(int axis) const { return edge(axis, at[axis] + 1) - low(axis); }

  // Part of the neighbour that way; ranks[axis] if there is none.
  int part(int axis, int step) const {
    const int p = at[axis] + step;
    if (p >= 0 && p < ranks[axis]) return p;
    return periodic[axis] || axis == sheared ? (p + ranks[axis]) % ranks[axis] : ranks[axis];
  }
  // The image beyond a face that the neighbour that way is seen as: 1 above, -1 below, 0 none.
  int imageFrom(int way) const {
    if (sheared < 0) return 0;
    const int step = direction::along(way, sheared), to = at[sheared] + step;
    return to < 0 || to >= ranks[sheared] ? step : 0;
  }
  // Whether ghosts come from that way: only where the axis is cut; else the box itself wraps around.
  bool hasNeighbor(int way) const {
    if (way == direction::here) return false;
    for (int axis = 0; axis < 3; ++axis) {
      const int step = direction::along(way, axis);
      if (step != 0 && (!cut(axis) || part(axis, step) == ranks[axis])) return false;
    }
    return true;
  }
  // Number of the part at these places, x fastest.
  int number(const std::array<int, 3>& places) const {
    return (places[2] * ranks[1] + places[1]) * ranks[0] + places[0];
  }
  // Rank of the part that the leading 32 bits of coordinates are in.
  int owner(const std::array<u32, 3>& coordinates) const {
    std::array<int, 3> places{};
    for (int axis = 0; axis < 3; ++axis) {
      int& p = places[axis] =
          static_cast<int>(static_cast<u64>(coordinates[axis]) * ranks[axis] >> (periodic[axis] ? 32 : 31));
      while (p + 1 < ranks[axis] && edge(axis, p + 1) <= coordinates[axis]) ++p;
      while (p > 0 && edge(axis, p) > coordinates[axis]) --p;
    }
    const int n = number(places);
    return rankOfPart.empty() ? n : rankOfPart[static_cast<std::size_t>(n)];
  }
  // Rank that way.
  int neighbor(int way) const {
    const int n = number(
        {part(0, direction::along(way, 0)), part(1, direction::along(way, 1)), part(2, direction::along(way, 2))});
    return rankOfPart.empty() ? n : rankOfPart[static_cast<std::size_t>(n)];
  }
};

// What kernels need: which way out of the domain a coordinate lies.
struct DomainBounds {
  u32 low[3], width[3];
  u32 range[3];  // the box' last tick, where it repeats
  bool cut[3];

  DomainBounds() : low{}, width{}, range{}, cut{} {}
  explicit DomainBounds(const Domain& domain) {
    for (int axis = 0; axis < 3; ++axis) {
      cut[axis] = domain.cut(axis);
      low[axis] = static_cast<u32>(domain.low(axis)), width[axis] = static_cast<u32>(domain.width(axis));
      range[axis] = axis == domain.sheared ? ~u32{0} >> 1 : ~u32{0};
    }
  }
  KOKKOS_INLINE_FUNCTION int side(u32 coordinate, int axis) const {
    if (!cut[axis]) return 0;
    const u32 d = (coordinate - low[axis]) & range[axis];
    if (d < width[axis]) return 0;
    return d - width[axis] < ((range[axis] - width[axis]) + 1) / 2 ? 1 : -1;
  }
  // Of the leading 32 bits.
  KOKKOS_INLINE_FUNCTION int way(u32 x, u32 y, u32 z) const {
    return direction::of(side(x, 0), side(y, 1), side(z, 2));
  }
};

}  // namespace mesowarp
