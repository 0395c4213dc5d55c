// Box crossings of particles, and the mark of an empty bond slot.
#pragma once

#include "core/types.hpp"

namespace mesowarp {

constexpr u32 noBond = 0xFFFFFFFFu;

// Box crossings of the three axes in one word, 21 bits each: from -farthestImage to farthestImage - 1, wrapping around.
constexpr i32 farthestImage = 1 << 20;
constexpr int imageBits = 21;

KOKKOS_INLINE_FUNCTION Vec3<i32> unpackImage(u64 packed) {
  constexpr u64 mask = (u64{1} << imageBits) - 1;
  return {static_cast<i32>(packed & mask) - farthestImage, static_cast<i32>(packed >> imageBits & mask) - farthestImage,
          static_cast<i32>(packed >> 2 * imageBits & mask) - farthestImage};
}
KOKKOS_INLINE_FUNCTION u64 packImage(Vec3<i32> image) {
  constexpr u64 mask = (u64{1} << imageBits) - 1;
  return (static_cast<u64>(image.x + farthestImage) & mask) |
         (static_cast<u64>(image.y + farthestImage) & mask) << imageBits |
         (static_cast<u64>(image.z + farthestImage) & mask) << 2 * imageBits;
}

// Crossings of a periodic coordinate on its way from `before` to `after` by less than half the period: -1, 0 or 1.
template <class Coord>
KOKKOS_INLINE_FUNCTION i32 crossings(Coord before, Coord after) {
  const auto moved = static_cast<Signed<Coord>>(after - before);
  return moved >= 0 ? (after < before ? 1 : 0) : (after > before ? -1 : 0);
}

}  // namespace mesowarp
