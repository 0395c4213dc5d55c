// A direction without preference.
#pragma once

#include <array>
#include <cmath>

#include "core/math.hpp"

namespace mesowarp {

// A unit vector: Archimedes' z, and an angle of pi t, t in [-1, 1): its cosine is the sine of pi (1/2 - |t|), its sine
// that of pi t, folded back beyond 1/2. Of operations that IEEE 754 fixes alone, so the same bits everywhere.
// random: has uniform(), in [0, 1).
template <class Random>
std::array<double, 3> randomDirection(Random& random) {
  const double z = 2.0 * random.uniform() - 1.0, t = 2.0 * random.uniform() - 1.0, flat = std::sqrt(1.0 - z * z);
  const double size = std::abs(t), folded = std::copysign(size <= 0.5 ? size : 1.0 - size, t);
  return {flat * math::sinPiHalf(0.5 - size), flat * math::sinPiHalf(folded), z};
}

}  // namespace mesowarp
