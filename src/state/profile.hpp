// Profiles along an axis: number, mass, momentum and kinetic energy of the particles that move in each of equal bins,
// summed as fixed-point integers, so that the order of the additions cannot matter.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "comm/communicator.hpp"
#include "core/types.hpp"
#include "grid/shear_faces.hpp"
#include "state/bin_sums.hpp"

namespace mesowarp {

constexpr double binScale = 268435456.0;  // 2^28: a sum holds up to 3e10

template <class P>
struct ProfileKernel {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<typename P::Real>> velocity;
  DeviceArray<typename P::Real> mass, inverseMass;  // of each species; inverse 0: it is frozen, and left out
  Kokkos::View<i64* [binChannels], Memory> bins;
  int axis, count;
  double tick;                          // of the axis, in bins
  ShearFaces<typename P::Coord> faces;  // of a sheared box, whose particles may be beyond them

  KOKKOS_INLINE_FUNCTION static i64 fixed(double value) { return ::llrint(value * binScale); }

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const u32 species = pairVelocity(i).species;
    if (!(inverseMass(species) > typename P::Real(0))) return;
    const auto p = position(i);
    Vec3<typename P::Coord> place{p.x, p.y, p.z};
    Vec3<i32> crossed{};
    const int beyond = faces.on ? faces.putBack(place, crossed) : 0;
    const double at = static_cast<double>(place[axis]) * tick;
    const int bin = at < count - 1 ? static_cast<int>(at) : count - 1;
    const double m = static_cast<double>(mass(species));
    const auto v = velocity(i);
    Vec3<double> lab{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    if (beyond != 0) lab[faces.flow] -= beyond * faces.speed;
    const double x = lab.x, y = lab.y, z = lab.z;
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

// Sums over bins of numbers that particles carry, as integers in units that the largest of them gives.
template <class P>
struct BinShown {
  DeviceArray<PairPosition<typename P::Coord>> position;
  const typename P::Real* value;
  int stride, axis, count, width;
  double tick;  // of the axis, in bins
  Kokkos::View<i64*, Memory> sums;
  double scale;

  KOKKOS_INLINE_FUNCTION void operator()(int i, double& largest) const {
    for (int k = 0; k < width; ++k) {
      const double v = static_cast<double>(value[static_cast<std::size_t>(i) * stride + k]);
      largest = v > largest ? v : -v > largest ? -v : largest;
    }
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    const double at = static_cast<double>(axis == 0 ? p.x : axis == 1 ? p.y : p.z) * tick;
    const int bin = at < count - 1 ? static_cast<int>(at) : count - 1;
    for (int k = 0; k < width; ++k)
      Kokkos::atomic_add(
          &sums(bin * width + k),
          static_cast<i64>(::llrint(scale * static_cast<double>(value[static_cast<std::size_t>(i) * stride + k]))));
  }
};

// particles: of this rank; total: of all.
template <class P>
std::vector<double> binned(BinShown<P> kernel, int particles, i64 total, const comm::Communicator* ranks) {
  double largest = 0.0;
  Kokkos::parallel_reduce("largest shown", Range(0, particles), kernel, Kokkos::Max<double>(largest));
  largest = std::max(largest, 0.0);
  if (ranks) ranks->largest(&largest, 1);
  const auto numbers = static_cast<std::size_t>(kernel.count) * static_cast<std::size_t>(kernel.width);
  std::vector<double> result(numbers, 0.0);
  if (!(largest > 0.0) || !std::isfinite(largest)) return result;
  int exponent = 0;
  std::frexp(largest * static_cast<double>(total), &exponent);
  kernel.scale = std::ldexp(1.0, 61 - exponent);
  kernel.sums = Kokkos::View<i64*, Memory>("sums of shown", numbers);
  Kokkos::parallel_for("profile of shown", Range(0, particles), kernel);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.sums);
  if (ranks) ranks->sum(host.data(), static_cast<int>(numbers));
  for (std::size_t k = 0; k < numbers; ++k) result[k] = static_cast<double>(host(k)) / kernel.scale;
  return result;
}

}  // namespace mesowarp
