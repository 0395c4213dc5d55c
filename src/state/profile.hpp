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

using ProfileBins = Kokkos::View<i64* [binChannels], Memory>;

// Adds a particle of mass m and velocity v to its bin.
KOKKOS_INLINE_FUNCTION void addToBin(const ProfileBins& bins, int bin, double m, const Vec3<double>& v) {
  const double values[binChannels - 1] = {m, m * v.x, m * v.y, m * v.z, m * (v.x * v.x + v.y * v.y + v.z * v.z)};
  Kokkos::atomic_add(&bins(bin, 0), i64{1});
  for (int c = 1; c < binChannels; ++c)
    Kokkos::atomic_add(&bins(bin, c), static_cast<i64>(::llrint(values[c - 1] * binScale)));
}

// In which bin a particle is.
template <class P>
struct BinPlaces {
  using Coord = typename P::Coord;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<typename P::Real> inverseMass;                  // of each species; 0: it is frozen, and left out
  int axis, count;
  double tick;              // of the axis, in bins
  ShearFaces<Coord> faces;  // of a sheared box, whose particles may be beyond them

  // -1: left out. beyond: the face that the particle is beyond, 0 if none.
  KOKKOS_INLINE_FUNCTION int of(int i, int& beyond) const {
    if (!(inverseMass(pairVelocity(i).species) > typename P::Real(0))) return -1;
    const auto p = position(i);
    Vec3<Coord> place{p.x, p.y, p.z};
    Vec3<i32> crossed{};
    beyond = faces.on ? faces.putBack(place, crossed) : 0;
    const double at = static_cast<double>(place[axis]) * tick;
    return at < count - 1 ? static_cast<int>(at) : count - 1;
  }
};

template <class P>
struct ProfileKernel {
  BinPlaces<P> places;
  DeviceArray<Vec3<typename P::Real>> velocity;
  DeviceArray<typename P::Real> mass;  // of each species
  ProfileBins bins;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    int beyond = 0;
    const int bin = places.of(i, beyond);
    if (bin < 0) return;
    const auto v = velocity(i);
    Vec3<double> lab{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    if (beyond != 0) lab[places.faces.flow] -= beyond * places.faces.speed;
    addToBin(bins, bin, static_cast<double>(mass(places.pairVelocity(i).species)), lab);
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
  BinPlaces<P> places;
  const typename P::Real* value;
  int stride, width;
  Kokkos::View<i64*, Memory> sums;
  double scale;

  KOKKOS_INLINE_FUNCTION double number(int i, int k) const {
    return static_cast<double>(value[static_cast<std::size_t>(i) * stride + k]);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, double& largest) const {
    for (int k = 0; k < width; ++k) {
      const double v = number(i, k);
      largest = v > largest ? v : -v > largest ? -v : largest;
    }
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    int beyond = 0;
    const int bin = places.of(i, beyond);
    if (bin < 0) return;
    for (int k = 0; k < width; ++k)
      Kokkos::atomic_add(&sums(bin * width + k), static_cast<i64>(::llrint(scale * number(i, k))));
  }
};

// particles: of this rank; total: of all.
template <class P>
std::vector<double> binned(BinShown<P> kernel, int particles, i64 total, const comm::Communicator* ranks) {
  double largest = 0.0;
  Kokkos::parallel_reduce("largest shown", Range(0, particles), kernel, Kokkos::Max<double>(largest));
  largest = std::max(largest, 0.0);
  if (ranks) ranks->largest(&largest, 1);
  const auto numbers = static_cast<std::size_t>(kernel.places.count) * static_cast<std::size_t>(kernel.width);
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
