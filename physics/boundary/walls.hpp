// Walls on the faces of the box. The box fills the lower half of a walled axis' range of coordinates, so a particle is
// inside exactly when the top bit of its coordinate is clear, and mirroring at either face is the bitwise complement.
//   bounce-forward: position mirrored at the wall, normal velocity reversed (specular, full slip)
//   bounce-back: the particle retraces its path from the wall, velocity reversed (no slip)
#pragma once

#include "core/math.hpp"

namespace mesowarp {

enum class Face : int { periodic = 0, bounceForward = 1, bounceBack = 2 };

template <class Coord, class Real>
struct Walls {
  static constexpr Coord top = Coord{1} << (8 * sizeof(Coord) - 1);
  Face face[3][2] = {};  // [axis][low, high]
  bool any = false;

  KOKKOS_INLINE_FUNCTION static bool outside(Coord c) { return (c & top) != 0; }
  // Whether a coordinate outside left through the high face.
  KOKKOS_INLINE_FUNCTION static bool beyondHigh(Coord c) { return (c & (top >> 1)) == 0; }

  // Way to the next bounce-back face of an axis, in ticks; bounce-forward faces are mirrors, which the way goes
  // through.
  KOKKOS_INLINE_FUNCTION Real room(int axis, Coord from, bool up) const {
    const Real toFace = up ? static_cast<Real>(top - from) : static_cast<Real>(from);
    if (face[axis][up ? 1 : 0] == Face::bounceBack) return toFace;
    return face[axis][up ? 0 : 1] == Face::bounceBack ? toFace + static_cast<Real>(top) : Real(-1);
  }
};

// Moves a coordinate by a displacement in ticks.
template <class Coord, class Real>
KOKKOS_INLINE_FUNCTION Coord shifted(Coord from, Real ticks) {
  if constexpr (sizeof(Coord) == 4) {
    return from + static_cast<Coord>(static_cast<i32>(sizeof(Real) == 4 ? ::lrintf(static_cast<float>(ticks))
                                                                        : ::lrint(static_cast<double>(ticks))));
  } else {
    return from + static_cast<Coord>(::llrint(static_cast<double>(ticks)));
  }
}

// Coordinates after a displacement of `ticks` that leads to `to` if there is no wall in the way; reverses velocity
// where a wall was hit. With bounce-forward faces unfolded the path is a straight line, on which the particle goes to
// and fro between two bounce-back faces.
template <class Coord, class Real>
KOKKOS_INLINE_FUNCTION Vec3<Coord> moveWithWalls(const Walls<Coord, Real>& walls, const Vec3<Coord>& from,
                                                 const Vec3<Real>& ticks, Vec3<Coord> to, Vec3<Real>& velocity) {
  bool hit = false;
  for (int axis = 0; axis < 3; ++axis) hit = hit || (walls.face[axis][0] != Face::periodic && walls.outside(to[axis]));
  if (!hit) return to;
  Real ahead = Real(2), behind = Real(2);  // way to the bounce-back faces, in displacements
  for (int axis = 0; axis < 3; ++axis) {
    if (walls.face[axis][0] == Face::periodic || ticks[axis] == Real(0)) continue;
    const bool up = ticks[axis] > Real(0);
    const Real length = up ? ticks[axis] : -ticks[axis];
    const Real forwards = walls.room(axis, from[axis], up), backwards = walls.room(axis, from[axis], !up);
    if (forwards >= Real(0) && forwards < ahead * length) ahead = math::divide(forwards, length);
    if (backwards >= Real(0) && backwards < behind * length) behind = math::divide(backwards, length);
  }
  Real at = Real(1);
  bool reversed = false;
  for (int turn = 0; turn < 16 && (at > ahead || at < -behind); ++turn) {
    at = at > ahead ? Real(2) * ahead - at : Real(-2) * behind - at;
    reversed = !reversed;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (reversed) velocity[axis] = -velocity[axis];
    to[axis] = shifted(from[axis], ticks[axis] * at);
    if (walls.face[axis][0] == Face::periodic || !walls.outside(to[axis])) continue;
    // Beyond a bounce-back face it is by rounding only.
    if (walls.face[axis][walls.beyondHigh(to[axis]) ? 1 : 0] == Face::bounceForward) velocity[axis] = -velocity[axis];
    to[axis] = ~to[axis];
  }
  return to;
}

// How the integrator moves a particle: lengths to ticks of the master coordinate, then the walls.
template <class Coord, class Real>
struct Mover {
  Walls<Coord, Real> walls;
  Vec3<Real> ticksPerLength;

  KOKKOS_FORCEINLINE_FUNCTION Vec3<Coord> move(const Vec3<Coord>& from, const Vec3<Real>& displacement,
                                               Vec3<Real>& velocity) const {
    const Vec3<Real> ticks{displacement.x * ticksPerLength.x, displacement.y * ticksPerLength.y,
                           displacement.z * ticksPerLength.z};
    const Vec3<Coord> to{shifted(from.x, ticks.x), shifted(from.y, ticks.y), shifted(from.z, ticks.z)};
    if (!walls.any) return to;
    Vec3<Real> turned = velocity;  // its address is taken: the velocity itself may then stay in registers
    const Vec3<Coord> result = moveWithWalls(walls, from, ticks, to, turned);
    velocity = turned;
    return result;
  }
};

}  // namespace mesowarp
