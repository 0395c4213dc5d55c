// Walls on the faces of the box. The box fills the lower half of a walled axis' range of coordinates, so a particle is
// inside exactly when the top bit of its coordinate is clear, and mirroring at either face is the bitwise complement.
//   bounce-forward: position mirrored at the wall, normal velocity reversed (specular, full slip)
//   bounce-back: the particle retraces its path from the wall, velocity reversed (no slip)
#pragma once

#include "core/types.hpp"

namespace mesowarp {

enum class Face : int { periodic = 0, bounceForward = 1, bounceBack = 2 };

template <class Coord, class Real>
struct Walls {
  static constexpr Coord top = Coord{1} << (8 * sizeof(Coord) - 1);
  Face face[3][2] = {};  // [axis][low, high]
  bool any = false;

  KOKKOS_INLINE_FUNCTION static bool outside(Coord c) { return (c & top) != 0; }
  KOKKOS_INLINE_FUNCTION Face hit(int axis, Real displacement) const { return face[axis][displacement > Real(0) ? 1 : 0]; }

  // Part of the displacement that reaches the wall it crosses, in [0, 1]. from, moved in ticks.
  KOKKOS_INLINE_FUNCTION static Real fractionToWall(Coord from, Real moved) {
    const Real room = moved > Real(0) ? static_cast<Real>(top - from) : static_cast<Real>(from);
    const Real fraction = room / (moved > Real(0) ? moved : -moved);
    return fraction < Real(1) ? fraction : Real(1);
  }
};

// Moves a coordinate by a displacement in ticks.
template <class Coord, class Real>
KOKKOS_INLINE_FUNCTION Coord shifted(Coord from, Real ticks) {
  if constexpr (sizeof(Coord) == 4) {
    return from + static_cast<Coord>(static_cast<i32>(sizeof(Real) == 4 ? ::lrintf(static_cast<float>(ticks)) : ::lrint(static_cast<double>(ticks))));
  } else {
    return from + static_cast<Coord>(::llrint(static_cast<double>(ticks)));
  }
}

// New coordinates after a displacement of `ticks`; reverses velocity where a wall was hit.
template <class Coord, class Real>
KOKKOS_INLINE_FUNCTION Vec3<Coord> moveWithWalls(const Walls<Coord, Real>& walls, Vec3<Coord> from, Vec3<Real> ticks,
                                                Vec3<Real>& velocity) {
  Vec3<Coord> to{shifted(from.x, ticks.x), shifted(from.y, ticks.y), shifted(from.z, ticks.z)};
  if (!walls.any) return to;
  Real back = Real(2);  // earliest bounce-back wall on the path
  for (int axis = 0; axis < 3; ++axis) {
    if (walls.face[axis][0] == Face::periodic || !walls.outside(to[axis])) continue;
    if (walls.hit(axis, ticks[axis]) != Face::bounceBack) continue;
    const Real fraction = walls.fractionToWall(from[axis], ticks[axis]);
    back = fraction < back ? fraction : back;
  }
  if (back <= Real(1)) {
    const Real keep = Real(2) * back - Real(1);
    for (int axis = 0; axis < 3; ++axis) {
      ticks[axis] = ticks[axis] * keep;
      to[axis] = shifted(from[axis], ticks[axis]);
      velocity[axis] = -velocity[axis];
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (walls.face[axis][0] == Face::periodic || !walls.outside(to[axis])) continue;
    to[axis] = ~to[axis];
    if (back > Real(1)) velocity[axis] = -velocity[axis];
  }
  return to;
}

// How the integrator moves a particle: lengths to ticks of the master coordinate, then the walls.
template <class Coord, class Real>
struct Mover {
  Walls<Coord, Real> walls;
  Vec3<Real> ticksPerLength;

  KOKKOS_INLINE_FUNCTION Vec3<Coord> move(const Vec3<Coord>& from, const Vec3<Real>& displacement,
                                          Vec3<Real>& velocity) const {
    const Vec3<Real> ticks{displacement.x * ticksPerLength.x, displacement.y * ticksPerLength.y,
                           displacement.z * ticksPerLength.z};
    return moveWithWalls(walls, from, ticks, velocity);
  }
};

}  // namespace mesowarp
