// Sums over bins (state/bins/bin_sums.hpp) of particles that move: number, mass, momentum, kinetic energy, and what
// they carry beside. They are summed as fixed-point integers, so that the order of the additions cannot matter.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "comm/communicator.hpp"
#include "core/box.hpp"
#include "core/types.hpp"
#include "device/host_copy.hpp"
#include "grid/bin_adds.hpp"
#include "grid/shear_faces.hpp"
#include "state/bins/bin_sums.hpp"
#include "state/bins/bin_totals.hpp"
#include "state/field_request.hpp"

namespace mesowarp {

// Adds a particle of mass m and velocity v to its bin.
template <class Adder>
KOKKOS_INLINE_FUNCTION void addMotion(Adder& adder, int bin, double m, const Vec3<double>& v) {
  const double values[binChannels - 1] = {m, m * v.x, m * v.y, m * v.z, m * (v.x * v.x + v.y * v.y + v.z * v.z)};
  adder.add(bin, 0, 1);
  for (int c = 1; c < binChannels; ++c) adder.add(bin, c, static_cast<i64>(::llrint(values[c - 1] * binScale)));
}

// A BinShape in coordinates.
template <class Coord>
struct Bins {
  int kind, axis;
  int count[3];
  double scale[3];  // of a coordinate, in bins; of shells, in lengths
  Coord center[3];
  double inner2, outer2;    // squares of lengths
  double inner, perLength;  // bins in a length

  static Bins of(const BinShape& shape, const Box& box) {
    constexpr int bits = 8 * sizeof(Coord);
    Bins b{};
    b.kind = shape.kind, b.axis = shape.axis;
    for (int a = 0; a < 3; ++a) {
      const int along = shape.kind == BinShape::grid ? shape.bins[a] : shape.bins[0];
      b.count[a] = along;
      b.scale[a] = shape.isShells() ? box.tick(a, bits) : box.tick(a, bits) * along / box.size[a];
      b.center[a] = static_cast<Coord>(toFixed(box, a, shape.center[a]) >> (64 - bits));
    }
    b.inner = shape.inner, b.inner2 = shape.inner * shape.inner, b.outer2 = shape.outer * shape.outer;
    b.perLength = shape.isShells() ? shape.bins[0] / (shape.outer - shape.inner) : 0.0;
    return b;
  }

  KOKKOS_INLINE_FUNCTION int along(const Vec3<Coord>& place, int a) const {
    const double at = static_cast<double>(place[a]) * scale[a];
    return at < count[a] - 1 ? static_cast<int>(at) : count[a] - 1;
  }
  // From the axis or the point to the nearest image, length.
  KOKKOS_INLINE_FUNCTION double apart(const Vec3<Coord>& place, int a) const {
    return static_cast<double>(static_cast<Signed<Coord>>(static_cast<Coord>(place[a] - center[a]))) * scale[a];
  }
  // -1: in none.
  KOKKOS_INLINE_FUNCTION int operator()(const Vec3<Coord>& place) const {
    if (kind == BinShape::slabs) return along(place, axis);
    if (kind == BinShape::grid) return (along(place, 2) * count[1] + along(place, 1)) * count[0] + along(place, 0);
    double squared = 0.0;
    for (int a = 0; a < 3; ++a)
      if (kind == BinShape::sphere || a != axis) squared += apart(place, a) * apart(place, a);
    if (squared < inner2 || !(squared < outer2)) return -1;
    const int shell = static_cast<int>((::sqrt(squared) - inner) * perLength);
    return shell < count[0] - 1 ? shell : count[0] - 1;
  }
  // Of shells: along the radius, the azimuth, and the axis (cylinder) or the polar angle (sphere).
  KOKKOS_INLINE_FUNCTION Vec3<double> turned(const Vec3<Coord>& place, const Vec3<double>& v) const {
    if (kind == BinShape::slabs || kind == BinShape::grid) return v;
    const int b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1;
    const double x = apart(place, b), y = apart(place, c), z = apart(place, axis);
    const double round = ::sqrt(x * x + y * y);  // from the axis
    const double cosine = round > 0.0 ? x / round : 1.0, sine = round > 0.0 ? y / round : 0.0;
    const double outwards = cosine * v[b] + sine * v[c], azimuthal = cosine * v[c] - sine * v[b];
    if (kind == BinShape::cylinder) return {outwards, azimuthal, v[axis]};
    const double r = ::sqrt(round * round + z * z);
    const double up = r > 0.0 ? z / r : 1.0, out = r > 0.0 ? round / r : 0.0;
    return {out * outwards + up * v[axis], azimuthal, up * outwards - out * v[axis]};
  }
};

// Whose motion is summed (BinWish).
struct BinnedSpecies {
  bool all = true;
  DeviceArray<u32> species;  // of each, 1: it is
  const u32* words = nullptr;
  u32 marks = 0;

  static BinnedSpecies of(const BinWish& wish, const FieldRegistry& fields) {
    BinnedSpecies chosen;
    chosen.all = wish.species.empty() && wish.marks == 0;
    if (chosen.all) return chosen;
    chosen.species = toDevice<u32>("species of a profile", std::vector<u32>(wish.species.begin(), wish.species.end()));
    chosen.marks = wish.marks;
    if (wish.marks != 0) chosen.words = static_cast<const u32*>(fieldOf(fields, wish.markField).data(false));
    return chosen;
  }
  KOKKOS_INLINE_FUNCTION bool has(int i, u32 s) const {
    return all || species(s) != 0 || (words != nullptr && (words[i] & marks) != 0);
  }
};

// In which bin a particle is.
template <class P>
struct BinPlaces {
  using Coord = typename P::Coord;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<typename P::Real> inverseMass;                  // of each species; 0: it is frozen, and left out
  Bins<Coord> bins;
  ShearFaces<Coord> faces;  // of a sheared box, whose particles may be beyond them
  BinnedSpecies chosen = {};

  // place: in the box; beyond: the face that the particle is beyond, 0 if none. -1: left out.
  KOKKOS_INLINE_FUNCTION int of(int i, Vec3<Coord>& place, int& beyond) const {
    const auto p = position(i);
    place = {p.x, p.y, p.z};
    Vec3<i32> crossed{};
    beyond = faces.on ? faces.putBack(place, crossed) : 0;
    const u32 species = pairVelocity(i).species;
    return inverseMass(species) > typename P::Real(0) && chosen.has(i, species) ? bins(place) : -1;
  }
};

template <class P>
struct ProfiledParticles {
  using Coord = typename P::Coord;
  BinPlaces<P> places;
  DeviceArray<Vec3<typename P::Real>> velocity;
  DeviceArray<typename P::Real> mass;  // of each species

  KOKKOS_INLINE_FUNCTION double massOf(int i) const {
    return static_cast<double>(mass(places.pairVelocity(i).species));
  }
  // In the box, of a particle that may be beyond a face of it.
  KOKKOS_INLINE_FUNCTION Vec3<double> velocityOf(int i, int beyond) const {
    const auto v = velocity(i);
    Vec3<double> lab{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    if (beyond != 0) lab[places.faces.flow] -= beyond * places.faces.speed;
    return lab;
  }
};

template <class P>
struct ProfileKernel {
  ProfiledParticles<P> particles;
  static constexpr int held = binChannels;

  template <class Adder>
  KOKKOS_INLINE_FUNCTION void operator()(int i, Adder& adder) const {
    int beyond = 0;
    Vec3<typename P::Coord> place;
    const int bin = particles.places.of(i, place, beyond);
    if (bin < 0) return;
    addMotion(adder, bin, particles.massOf(i), particles.places.bins.turned(place, particles.velocityOf(i, beyond)));
  }
};

// The motion of one sample. Kernel: as above, of any particles.
template <class Kernel>
void addSample(const Kernel& kernel, int particles, BinTotals& totals, const comm::Communicator* ranks) {
  addToBins("profile", kernel, totals.onDevice(), binChannels, particles);
  totals.added(ranks);
}

// Numbers that particles carry.
template <class P>
struct ShownNumbers {
  ProfiledParticles<P> particles;
  const typename P::Real* value;
  int stride, width;
  static constexpr int held = 0;
  KOKKOS_INLINE_FUNCTION double operator()(int i, int k, int) const {
    return static_cast<double>(value[static_cast<std::size_t>(i) * stride + k]);
  }
};

// m v v, then the virial.
template <class P>
struct StressNumbers {
  ProfiledParticles<P> particles;
  const double* virial;
  static constexpr int width = stressChannels, held = width;
  KOKKOS_INLINE_FUNCTION double operator()(int i, int k, int beyond) const {
    if (k >= 6) return virial[6 * static_cast<std::size_t>(i) + k - 6];
    const auto v = particles.velocityOf(i, beyond);
    const int a = k < 3 ? k : k < 5 ? 0 : 1, b = k < 3 ? k : k == 3 ? 1 : 2;
    return particles.massOf(i) * v[a] * v[b];
  }
};

// Sums over bins of such numbers, as integers in units that the largest of them gives.
template <class P, class Numbers>
struct BinnedNumbers {
  static constexpr int held = Numbers::held;
  ProfiledParticles<P> particles;
  Numbers numbers;
  double scale;

  template <class Adder>
  KOKKOS_INLINE_FUNCTION void operator()(int i, Adder& adder) const {
    int beyond = 0;
    Vec3<typename P::Coord> place;
    const int bin = particles.places.of(i, place, beyond);
    if (bin < 0) return;
    for (int k = 0; k < numbers.width; ++k)
      adder.add(bin, k, static_cast<i64>(::llrint(scale * numbers(i, k, beyond))));
  }
};

template <class P, class Numbers>
struct LargestNumber {
  ProfiledParticles<P> particles;
  Numbers numbers;
  KOKKOS_INLINE_FUNCTION void operator()(int i, double& largest) const {
    int beyond = 0;
    Vec3<typename P::Coord> place;
    particles.places.of(i, place, beyond);
    for (int k = 0; k < numbers.width; ++k) {
      const double v = numbers(i, k, beyond);
      largest = v > largest ? v : -v > largest ? -v : largest;
    }
  }
};

// Numbers of one sample, `width` of each bin, behind `first` other ones that are beyond motion. particles: of this
// rank; total: of all.
struct BinnedSize {
  int first, width, particles;
  i64 total;
};
template <class P, class Numbers>
void addFurther(const ProfiledParticles<P>& particles, const Numbers& shown, const BinnedSize& size, BinTotals& totals,
                const comm::Communicator* ranks) {
  double largest = 0.0;
  Kokkos::parallel_reduce("largest shown", Range(0, size.particles), LargestNumber<P, Numbers>{particles, shown},
                          Kokkos::Max<double>(largest));
  largest = std::max(largest, 0.0);
  if (ranks) ranks->largest(&largest, 1);
  if (!(largest > 0.0) || !std::isfinite(largest)) return;
  int exponent = 0;
  std::frexp(largest * static_cast<double>(size.total), &exponent);
  const double scale = std::ldexp(1.0, 61 - exponent);
  const auto sums = totals.furtherSums(size.width);
  addToBins("profile of shown", BinnedNumbers<P, Numbers>{particles, shown, scale}, sums, size.width, size.particles);
  totals.addFurther(sums, size.first, scale, ranks);
}

}  // namespace mesowarp
