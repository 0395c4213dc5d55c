// The 27 places around a place, itself included.
#pragma once

#include <Kokkos_Macros.hpp>

namespace mesowarp {

// Numbers of the directions to them: -1, 0, 1 along x, y, z, x fastest.
namespace direction {
constexpr int count = 27, here = 13;
KOKKOS_INLINE_FUNCTION constexpr int of(int x, int y, int z) { return (x + 1) + 3 * (y + 1) + 9 * (z + 1); }
KOKKOS_INLINE_FUNCTION constexpr int along(int direction, int axis) {
  return (axis == 0 ? direction % 3 : axis == 1 ? direction / 3 % 3 : direction / 9) - 1;
}
KOKKOS_INLINE_FUNCTION constexpr int opposite(int direction) { return count - 1 - direction; }
}  // namespace direction

}  // namespace mesowarp
