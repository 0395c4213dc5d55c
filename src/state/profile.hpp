// Profiles along an axis: number, mass, momentum and kinetic energy of the particles in each of equal bins, summed as
// fixed-point integers, so that the order of the additions cannot matter.
#pragma once

#include <array>
#include <vector>

#include "core/types.hpp"
#include "state/bin_sums.hpp"

namespace mesowarp {

constexpr double binScale = 268435456.0;  // 2^28: a sum holds up to 3e10

template <class P>
struct ProfileKernel {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<typename P::Real>> velocity;
  DeviceArray<typename P::Real> mass;
  Kokkos::View<i64* [binChannels], Memory> bins;
  int axis, count;
  double tick;  // of the axis, in bins

  KOKKOS_INLINE_FUNCTION static i64 fixed(double value) { return ::llrint(value * binScale); }

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    const double at = static_cast<double>(axis == 0 ? p.x : axis == 1 ? p.y : p.z) * tick;
    const int bin = at < count - 1 ? static_cast<int>(at) : count - 1;
    const double m = static_cast<double>(mass(pairVelocity(i).species));
    const auto v = velocity(i);
    const double x = static_cast<double>(v.x), y = static_cast<double>(v.y), z = static_cast<double>(v.z);
    Kokkos::atomic_add(&bins(bin, 0), i64{1});
    Kokkos::atomic_add(&bins(bin, 1), fixed(m));
    Kokkos::atomic_add(&bins(bin, 2), fixed(m * x));
    Kokkos::atomic_add(&bins(bin, 3), fixed(m * y));
    Kokkos::atomic_add(&bins(bin, 4), fixed(m * z));
    Kokkos::atomic_add(&bins(bin, 5), fixed(m * (x * x + y * y + z * z)));
  }
};

// Runs one sample and adds it to `sums` (one entry for each bin). overRanks(values, count): adds up integers over
// ranks. Kernel: as above, of any particles.
template <class Kernel, class OverRanks>
void addProfileSample(const Kernel& kernel, int particles, std::vector<BinSums>& sums, const OverRanks& overRanks) {
  Kokkos::deep_copy(Execution(), kernel.bins, i64{0});
  Kokkos::parallel_for("profile", Range(0, particles), kernel);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.bins);
  overRanks(host.data(), static_cast<int>(host.span()));
  for (std::size_t b = 0; b < sums.size(); ++b) {
    sums[b].count += static_cast<double>(host(b, 0));
    sums[b].mass += static_cast<double>(host(b, 1)) / binScale;
    for (int c = 0; c < 3; ++c) sums[b].momentum[c] += static_cast<double>(host(b, 2 + c)) / binScale;
    sums[b].kinetic += static_cast<double>(host(b, 5)) / binScale;
  }
}

}  // namespace mesowarp
