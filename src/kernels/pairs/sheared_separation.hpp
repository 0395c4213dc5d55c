// From one particle to another that belongs with it (a bond's other end, a vertex of the same cell) in a box that may
// be sheared: by the nearest image of the partner, whichever copy of it a rank has.
//
// A ghost may be an image that has been moved, and a particle may have drifted beyond a face. Seen from a particle, as
// it is stored, the nearest image along the gradient of a copy is 0, 1 or -1, and it is moved by as many Delta along
// the flow. All moves are whole numbers of ticks: the result has the same bits on any rank, whichever copies it has,
// and that of (j, i) is exactly the opposite. Partners must be less than half a box apart.
#pragma once

#include "grid/shear_images.hpp"
#include "kernels/pairs/pair_state.hpp"

namespace mesowarp {

// Which image of `there` is nearest to `here`, as both are stored: 1 above, -1 below. Both are seen in the box first:
// below it coordinates are those of the range's end, so half of the range apart may mean one box up or one down.
template <class Coord>
KOKKOS_INLINE_FUNCTION int nearestImage(const ShearFaces<Coord>& faces, const Vec3<Coord>& here,
                                        const Vec3<Coord>& there) {
  const Coord top = ShearFaces<Coord>::top, h = here[faces.gradient], t = there[faces.gradient];
  const auto apart = static_cast<Signed<Coord>>((h & ~top) - (t & ~top));
  constexpr auto half = static_cast<Signed<Coord>>(ShearFaces<Coord>::top >> 1);  // of the box
  const int inBox = apart > half ? 1 : apart < -half ? -1 : 0;
  return inBox + ShearFaces<Coord>::side(h) - ShearFaces<Coord>::side(t);
}

// here - there in ticks, by a given image of `there`.
template <class Coord>
KOKKOS_INLINE_FUNCTION Vec3<Signed<Coord>> ticksApart(const ShearFaces<Coord>& faces, const Vec3<Coord>& here,
                                                      const Vec3<Coord>& there, int image) {
  const Vec3<Coord> at = image == 0 ? there : faces.image(there, image);
  return {static_cast<Signed<Coord>>(here.x - at.x), static_cast<Signed<Coord>>(here.y - at.y),
          static_cast<Signed<Coord>>(here.z - at.z)};
}
// And by the nearest one.
template <class Coord>
KOKKOS_INLINE_FUNCTION Vec3<Signed<Coord>> ticksApart(const ShearFaces<Coord>& faces, const Vec3<Coord>& here,
                                                      const Vec3<Coord>& there) {
  return ticksApart(faces, here, there, faces.on ? nearestImage(faces, here, there) : 0);
}

// r_i - r_j, length.
template <class Real, class Coord>
KOKKOS_INLINE_FUNCTION Vec3<Real> separation(const PairPosition<Coord>& i, const PairPosition<Coord>& j,
                                             const Ticks<Real>& tick, const ShearFaces<Coord>& faces) {
  const auto apart = ticksApart(faces, Vec3<Coord>{i.x, i.y, i.z}, Vec3<Coord>{j.x, j.y, j.z});
  return {math::fromInteger<Real>(apart.x) * tick.x, math::fromInteger<Real>(apart.y) * tick.y,
          math::fromInteger<Real>(apart.z) * tick.z};
}

// The velocity of an image. That of a moved ghost has been rounded, so a particle that is looked for by its tag must be
// found unmoved wherever such a copy is here (TagLookup); then the result has the same bits on any rank.
template <class P>
KOKKOS_INLINE_FUNCTION PairVelocity<typename P::Store> velocityOfImage(const ShearFaces<typename P::Coord>& faces,
                                                                       PairVelocity<typename P::Store> v, int image) {
  using Real = typename P::Real;
  if (image == 0) return v;
  auto& along = component(v, faces.flow);
  along = static_cast<typename P::Store>(Real(along) + Real(image) * Real(faces.speed));
  return v;
}

}  // namespace mesowarp
