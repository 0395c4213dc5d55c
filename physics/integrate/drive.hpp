// Body forces, as accelerations: constant, or of opposite sign in the two halves of the box (double Poiseuille flow,
// Backer et al. 2005).
#pragma once

#include "core/types.hpp"

namespace mesowarp {

template <class Coord, class Real>
struct Drives {
  static constexpr int most = 4;
  struct Halves {
    Vec3<Real> acceleration;
    int axis;
    Coord middle;  // coordinate of the half-box plane; the sign flips from there on
    KOKKOS_FORCEINLINE_FUNCTION Real at(Coord coordinate, int component) const {
      return (coordinate < middle ? Real(1) : Real(-1)) * acceleration[component];
    }
  };
  Vec3<Real> constant{};
  Halves halves[most] = {};
  int count = 0;

  KOKKOS_FORCEINLINE_FUNCTION Vec3<Real> at(const Vec3<Coord>& position) const {
    Vec3<Real> g = constant;
    if (count != 0) addHalves(position, g);
    return g;
  }
  KOKKOS_INLINE_FUNCTION void addHalves(const Vec3<Coord>& position, Vec3<Real>& g) const {
    for (int d = 0; d < count; ++d) {
      const Coord coordinate = position[halves[d].axis];
      g.x += halves[d].at(coordinate, 0);
      g.y += halves[d].at(coordinate, 1);
      g.z += halves[d].at(coordinate, 2);
    }
  }
};

}  // namespace mesowarp
