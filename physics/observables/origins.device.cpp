// All on the device; what goes to the host are the sums, 9 or 3 numbers. These are integers in units that the largest
// term gives (state/exact_sums.hpp), so their bits depend neither on the order of particles nor on how ranks share them
// out; the price is that terms are made twice, unless their size is known. A particle's row of origins, 24 bytes a
// level, is where its place says (state/parked_fields.hpp), so a sort does not move it; before each new origin of the
// first level, 16 samples, rows are put into the order of particles.
//
// Memory traffic of a sample in single precision, bytes a particle. A row's 24 bytes lie in 1 or 2 sectors of 32, 52
// bytes on the mean.
//   msd: seen 44 + 28 (places) and 60 + 36 (images); two sums of 4 + 4 + 24 + 12 + 52: 360
//   vacf: one sum of 4 + 16 + 12 + 52: 84 (two where a velocity is above what the temperature lets expect)
//   and every 16th sample, of either: stored 40 + 24 or 12 + 24, and settled 4 + 48 levels
// Of 2.04 million particles that is 0.73 GB and 0.17 GB, so 0.18 ms and 0.04 ms at 4 TB/s; settling 5 levels of both
// fields 0.25 ms, every 16th sample. Every fourth sample also compares with the next level.
#include "physics/observables/origins.hpp"

#include "core/bits.hpp"
#include "core/math.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::observables {
namespace {

KOKKOS_INLINE_FUNCTION u64* originOf(const Origins& origins, int i, int level) {
  return origins.field.words + 3 * (static_cast<std::size_t>(origins.field.place[i]) * origins.levels + level);
}

struct StoreOrigins {
  Origins origins;
  DeviceArray<Vec3<u64>> place;
  DeviceArray<Vec3<i32>> image;
  SeenVelocities velocity;
  int level;
  bool velocities;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    u64* const to = originOf(origins, i, level);
    for (int a = 0; a < 3; ++a)
      to[a] = velocities ? math::bitCast<u64>(velocity(i, a)) : static_cast<u64>(unwrapped(place(i)[a], image(i)[a]));
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
  SeenVelocities velocity;
  int level;  // negative: with itself
  KOKKOS_INLINE_FUNCTION VelocitySums operator()(int i) const {
    VelocitySums sums;
    if ((origins.sets(velocity.species(i)) & 1u) == 0u) return sums;
    for (int a = 0; a < 3; ++a) {
      const double now = velocity(i, a);
      const double then = level < 0 ? now : math::bitCast<double>(originOf(origins, i, level)[a]);
      sums.product[a] = then * now;
    }
    return sums;
  }
};

}  // namespace

void storeOrigins(const Origins& origins, const MeasuredParticles& p, int level, bool velocities) {
  Kokkos::parallel_for("store origins", Range(0, p.count),
                       StoreOrigins{origins, p.place, p.image, p.velocities, level, velocities});
}

MovedSums movedSince(const Origins& origins, const MeasuredParticles& p, const MeasuredBox& box, int level) {
  const Vec3<double> tick{box.box.tick(0, unwrappedBits), box.box.tick(1, unwrappedBits),
                          box.box.tick(2, unwrappedBits)};
  return exactSums<MovedSums>("displacements", p.count, MovedOf{origins, p.species, p.place, p.image, tick, level},
                              box.ranks);
}

VelocitySums correlatedWith(const Origins& origins, const MeasuredParticles& p, const MeasuredBox& box, int level) {
  return exactSums<VelocitySums>("products of velocities", p.count, ProductOf{origins, p.velocities, level}, box.ranks,
                                 origins.fast * origins.fast);
}

VelocitySums correlatedNow(const Origins& origins, const MeasuredParticles& p, const MeasuredBox& box) {
  return correlatedWith(origins, p, box, -1);
}

}  // namespace mesowarp::observables
