// The region of an [[inflow]] (inflow.hpp) and the flow in it.
#pragma once

#include "core/box.hpp"
#include "core/math.hpp"
#include "core/types.hpp"
#include "physics/integrate/inflow_keys.hpp"

namespace mesowarp {

// Where a region is and how its fluid flows, in coordinates as positions are stored.
template <class Coord, class Real>
struct InflowRegion {
  InflowProfile profile;
  int along, across;
  Coord from, width;      // along the flow
  Coord lower, gap;       // slit
  Coord center[3];        // tube
  Real tick[3];           // tube: of a coordinate, in radii
  Real perGap, velocity;  // 1 / gap

  static InflowRegion of(const InflowKeys& keys, const Box& box) {
    constexpr int up = 64 - 8 * static_cast<int>(sizeof(Coord));
    const auto place = [&](int axis, double x) { return static_cast<Coord>(toFixed(box, axis, x) >> up); };
    InflowRegion r{};
    r.profile = keys.profile, r.along = keys.along, r.across = keys.across;
    r.from = place(keys.along, keys.from), r.width = static_cast<Coord>(place(keys.along, keys.to) - r.from);
    r.velocity = Real(keys.velocity);
    if (keys.profile == InflowProfile::slit) {
      r.lower = place(keys.across, keys.lower), r.gap = static_cast<Coord>(place(keys.across, keys.upper) - r.lower);
      if (r.gap == 0) r.gap = static_cast<Coord>(~Coord{0});  // from face to face
      r.perGap = Real(1.0 / static_cast<double>(r.gap));
    }
    for (int axis = 0; axis < 3 && keys.profile == InflowProfile::tube; ++axis) {
      r.center[axis] = place(axis, keys.center[static_cast<std::size_t>(axis)]);
      r.tick[axis] = Real(box.tick(axis, 8 * sizeof(Coord)) / keys.radius);
    }
    return r;
  }

  // False: not in the region. speed: of the flow there.
  KOKKOS_INLINE_FUNCTION bool flows(const Coord (&x)[3], Real& speed) const {
    if (static_cast<Coord>(x[along] - from) >= width) return false;
    speed = velocity;
    if (profile == InflowProfile::slit) {
      const Coord height = static_cast<Coord>(x[across] - lower);
      if (height >= gap) return false;
      const Real s = static_cast<Real>(height) * perGap;
      speed = velocity * Real(6) * (s * (Real(1) - s));
    } else if (profile == InflowProfile::tube) {
      Real square = 0;
      for (int axis = 0; axis < 3; ++axis) {
        if (axis == along) continue;
        const Real d = math::fromInteger<Real>(static_cast<Signed<Coord>>(static_cast<Coord>(x[axis] - center[axis]))) *
                       tick[axis];
        square = math::fusedMultiplyAdd(d, d, square);
      }
      if (square >= Real(1)) return false;
      speed = velocity * Real(2) * (Real(1) - square);
    }
    return true;
  }
};

}  // namespace mesowarp
