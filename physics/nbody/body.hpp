// What force laws read of a body, and the same in the lanes of a vector.
#pragma once

#include "core/lanes.hpp"

namespace mesowarp::nbody {

// The bodies, at one time.
struct BodyView {
  DeviceArray<Vec3<double>> position, velocity;
  DeviceArray<double> mass, charge;
  DeviceArray<u32> type;
  int count() const { return static_cast<int>(position.extent(0)); }
};

// Position and what the law weighs the body by. Split: position = high + low.
template <class S, bool Split>
struct Place {
  S x{}, y{}, z{}, weight{};
};
template <class S>
struct Place<S, true> : Place<S, false> {
  S lowX{}, lowY{}, lowZ{};
};

template <class S, bool Moving>
struct Motion {};
template <class S>
struct Motion<S, true> {
  S vx{}, vy{}, vz{}, spare{};
};

template <class S, bool Split>
KOKKOS_INLINE_FUNCTION void setPlace(Place<S, Split>& place, const Vec3<double>& position, double weight) {
  place.x = static_cast<S>(position.x), place.y = static_cast<S>(position.y), place.z = static_cast<S>(position.z);
  place.weight = static_cast<S>(weight);
  if constexpr (Split) {
    place.lowX = static_cast<S>(position.x - static_cast<double>(place.x));
    place.lowY = static_cast<S>(position.y - static_cast<double>(place.y));
    place.lowZ = static_cast<S>(position.z - static_cast<double>(place.z));
  }
}

template <class V, bool Split>
struct PlaceAt {
  using S = typename Lanes<V>::Scalar;
  V x, y, z;
  KOKKOS_FORCEINLINE_FUNCTION void setPlace(int lane, const Place<S, false>& p) {
    Lanes<V>::set(x, lane, p.x), Lanes<V>::set(y, lane, p.y), Lanes<V>::set(z, lane, p.z);
  }
  // x_j - x_i
  KOKKOS_FORCEINLINE_FUNCTION Vec3<V> to(const Place<S, false>& j) const {
    return {V(j.x) - x, V(j.y) - y, V(j.z) - z};
  }
};
template <class V>
struct PlaceAt<V, true> : PlaceAt<V, false> {
  using S = typename Lanes<V>::Scalar;
  V lowX, lowY, lowZ;
  KOKKOS_FORCEINLINE_FUNCTION void setPlace(int lane, const Place<S, true>& p) {
    PlaceAt<V, false>::setPlace(lane, p);
    Lanes<V>::set(lowX, lane, p.lowX), Lanes<V>::set(lowY, lane, p.lowY), Lanes<V>::set(lowZ, lane, p.lowZ);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3<V> to(const Place<S, true>& j) const {
    const Vec3<V> high = PlaceAt<V, false>::to(j);
    return {high.x + (V(j.lowX) - lowX), high.y + (V(j.lowY) - lowY), high.z + (V(j.lowZ) - lowZ)};
  }
};

template <class V, bool Moving>
struct MotionAt {
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void setMotion(int, const Body&) {}
};
template <class V>
struct MotionAt<V, true> {
  V vx, vy, vz;
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void setMotion(int lane, const Body& b) {
    Lanes<V>::set(vx, lane, b.vx), Lanes<V>::set(vy, lane, b.vy), Lanes<V>::set(vz, lane, b.vz);
  }
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION Vec3<V> relativeVelocity(const Body& j) const {
    return {V(j.vx) - vx, V(j.vy) - vy, V(j.vz) - vz};
  }
};

}  // namespace mesowarp::nbody
