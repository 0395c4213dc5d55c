// The box and its fixed-point coordinates.
//
// A coordinate is a fraction of the axis' period, as an unsigned integer of 32 or 64 bits. A periodic axis has the box
// edge as its period. A walled axis has twice the edge, so the box fills the lower half of the range and differences
// across the box never wrap. Either way the nearest image is plain integer subtraction.
#pragma once

#include <array>
#include <cmath>

#include "core/types.hpp"

namespace mesowarp {

struct Box {
  std::array<double, 3> size{};  // length
  std::array<bool, 3> periodic{true, true, true};

  double period(int axis) const { return periodic[axis] ? size[axis] : 2.0 * size[axis]; }
  double volume() const { return size[0] * size[1] * size[2]; }
  // Length of one unit of a coordinate with `bits` bits.
  double tick(int axis, int bits) const { return std::ldexp(period(axis), -bits); }
};

// 64-bit coordinate of a position in [0, size); positions outside a periodic axis are wrapped, outside a wall clamped.
inline u64 toFixed(const Box& box, int axis, double position) {
  double fraction = position / box.period(axis);
  if (box.periodic[axis]) fraction -= std::floor(fraction);
  if (!(fraction > 0.0)) return 0;
  // Two steps: a double holds 53 bits of the fraction; ldexp is exact.
  const double scaled = std::ldexp(fraction, 64);
  const u64 last = box.periodic[axis] ? ~u64{0} : (u64{1} << 63) - 1;
  return scaled >= std::ldexp(1.0, box.periodic[axis] ? 64 : 63) ? (box.periodic[axis] ? 0 : last)
                                                                 : static_cast<u64>(scaled);
}

template <class Coord>
double toLength(const Box& box, int axis, Coord coordinate) {
  return static_cast<double>(coordinate) * box.tick(axis, 8 * sizeof(Coord));
}

// The bits of a coordinate that cells and domains go by.
template <class Coord>
KOKKOS_INLINE_FUNCTION u32 leading32(Coord c) {
  return static_cast<u32>(c >> (8 * sizeof(Coord) - 32));
}

// What kernels need of the box: length of one tick of a pair coordinate, per axis.
template <class Real>
struct Ticks {
  Real x, y, z;
};

template <class Real, class Coord>
Ticks<Real> ticksOf(const Box& box) {
  constexpr int bits = 8 * sizeof(Coord);
  return {static_cast<Real>(box.tick(0, bits)), static_cast<Real>(box.tick(1, bits)),
          static_cast<Real>(box.tick(2, bits))};
}

// Of an axis without periodicity, whose box fills the lower half of the range of coordinates.
template <class Coord>
constexpr bool isBehindWall(Coord c) {
  return c >> (8 * sizeof(Coord) - 1) != 0;
}

}  // namespace mesowarp
