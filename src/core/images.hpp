// Box crossings of particles, and the mark of an empty bond slot.
#pragma once

#include "core/types.hpp"

namespace mesowarp {

constexpr u32 noBond = 0xFFFFFFFFu;

// Box crossings of the three axes in one word, each in [-512, 511], wrapping around.
KOKKOS_INLINE_FUNCTION Vec3<i32> unpackImage(i32 packed) {
  return {(packed & 1023) - 512, ((packed >> 10) & 1023) - 512, ((packed >> 20) & 1023) - 512};
}
KOKKOS_INLINE_FUNCTION i32 packImage(Vec3<i32> image) {
  return ((image.x + 512) & 1023) | ((image.y + 512) & 1023) << 10 | ((image.z + 512) & 1023) << 20;
}

// Crossings of a periodic coordinate on its way from `before` to `after` by less than half the period: -1, 0 or 1.
template <class Coord>
KOKKOS_INLINE_FUNCTION i32 crossings(Coord before, Coord after) {
  const auto moved = static_cast<Signed<Coord>>(after - before);
  return moved >= 0 ? (after < before ? 1 : 0) : (after > before ? -1 : 0);
}

}  // namespace mesowarp
