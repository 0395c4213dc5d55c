// From one particle to another that belongs with it (a bond's other end, a vertex of the same cell) in a box that may
// be sheared: by the nearest image of the partner, whichever copy of it a rank has.
//
// A ghost may be an image that has been moved, and a particle may have drifted beyond a face: both are first brought
// back into the box, by whole numbers of ticks, so own particles and their copies have the same place. Seen from there
// the nearest image along the gradient is 0, 1 or -1, and the image is moved by as many Delta along the flow. So the
// result has the same bits on any rank, and that of (j, i) is exactly the opposite. Partners must be less than half a
// box apart.
#pragma once

#include "grid/shear_faces.hpp"
#include "kernels/pairs/pair_state.hpp"

namespace mesowarp {

template <class Coord>
KOKKOS_INLINE_FUNCTION PairPosition<Coord> inSheared(const ShearFaces<Coord>& faces, const PairPosition<Coord>& p) {
  const Vec3<Coord> at{p.x, p.y, p.z};
  const int side = ShearFaces<Coord>::side(at[faces.gradient]);
  if (side == 0) return p;
  const Vec3<Coord> back = faces.image(at, -side);
  return {back.x, back.y, back.z, p.signature};
}

// r_i - r_j, length.
template <class Real, class Coord>
KOKKOS_INLINE_FUNCTION Vec3<Real> separation(const PairPosition<Coord>& i, const PairPosition<Coord>& j,
                                             const Ticks<Real>& tick, const ShearFaces<Coord>& faces) {
  if (!faces.on) return backend::separation<Real>(i, j, tick);
  const PairPosition<Coord> here = inSheared(faces, i), there = inSheared(faces, j);
  const auto apart = static_cast<Signed<Coord>>(Vec3<Coord>{here.x, here.y, here.z}[faces.gradient] -
                                                Vec3<Coord>{there.x, there.y, there.z}[faces.gradient]);
  constexpr auto half = static_cast<Signed<Coord>>(ShearFaces<Coord>::top >> 1);  // of the box
  if (apart <= half && apart >= -half) return backend::separation<Real>(here, there, tick);
  const Vec3<Coord> image = faces.image({there.x, there.y, there.z}, apart > 0 ? 1 : -1);
  return backend::separation<Real>(here, PairPosition<Coord>{image.x, image.y, image.z, there.signature}, tick);
}

}  // namespace mesowarp
