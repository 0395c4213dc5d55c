#include "physics/observables/origins.hpp"

#include "core/bits.hpp"
#include "core/math.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::observables {
namespace {

KOKKOS_INLINE_FUNCTION u64* originOf(const Origins& origins, int i, int level) {
  return origins.words + 3 * (static_cast<std::size_t>(i) * origins.levels + level);
}

struct StoreOrigins {
  Origins origins;
  DeviceArray<Vec3<u64>> place;
  DeviceArray<Vec3<i32>> image;
  DeviceArray<Vec3<double>> velocity;
  int level;
  bool velocities;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    u64* const to = originOf(origins, i, level);
    for (int a = 0; a < 3; ++a)
      to[a] = velocities ? math::bitCast<u64>(static_cast<double>(velocity(i)[a]))
                         : static_cast<u64>(unwrapped(place(i)[a], image(i)[a]));
  }
};

struct MovedOf {
  Origins origins;
  DeviceArray<u32> species;
  DeviceArray<Vec3<u64>> place;
  DeviceArray<Vec3<i32>> image;
  Vec3<double> tick;  // of an unwrapped coordinate, length
  int level;
  KOKKOS_INLINE_FUNCTION MovedSums operator()(int i) const {
    MovedSums sums;
    if ((origins.sets(species(i)) & 1u) == 0u) return sums;
    const u64* const from = originOf(origins, i, level);
    const double m = origins.mass(species(i));
    for (int a = 0; a < 3; ++a) {
      const i64 ticks = static_cast<i64>(static_cast<u64>(unwrapped(place(i)[a], image(i)[a])) - from[a]);
      const double d = static_cast<double>(ticks) * tick[a];
      sums.squared[a] = d * d, sums.moved[a] = d, sums.weighted[a] = m * d;
    }
    return sums;
  }
};

struct ProductOf {
  Origins origins;
  DeviceArray<u32> species;
  DeviceArray<Vec3<double>> velocity;
  int level;  // negative: with itself
  KOKKOS_INLINE_FUNCTION VelocitySums operator()(int i) const {
    VelocitySums sums;
    if ((origins.sets(species(i)) & 1u) == 0u) return sums;
    for (int a = 0; a < 3; ++a) {
      const double now = velocity(i)[a];
      const double then = level < 0 ? now : math::bitCast<double>(originOf(origins, i, level)[a]);
      sums.product[a] = then * now;
    }
    return sums;
  }
};

}  // namespace

void storeOrigins(const Origins& origins, const MeasuredParticles& p, int level, bool velocities) {
  Kokkos::parallel_for("store origins", Range(0, p.count),
                       StoreOrigins{origins, p.place, p.image, p.velocity, level, velocities});
}

MovedSums movedSince(const Origins& origins, const MeasuredParticles& p, const MeasuredBox& box, int level) {
  const Vec3<double> tick{box.box.tick(0, unwrappedBits), box.box.tick(1, unwrappedBits),
                          box.box.tick(2, unwrappedBits)};
  return exactSums<MovedSums>("displacements", p.count, MovedOf{origins, p.species, p.place, p.image, tick, level},
                              box.ranks);
}

VelocitySums correlatedWith(const Origins& origins, const MeasuredParticles& p, const MeasuredBox& box, int level) {
  return exactSums<VelocitySums>("products of velocities", p.count, ProductOf{origins, p.species, p.velocity, level},
                                 box.ranks);
}

VelocitySums correlatedNow(const Origins& origins, const MeasuredParticles& p, const MeasuredBox& box) {
  return correlatedWith(origins, p, box, -1);
}

}  // namespace mesowarp::observables
