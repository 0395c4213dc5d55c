// What a cell sums up beside momentum and energy, where its collision keeps the angular momentum: of its particles'
// places r, in edges of the cell from its lower corner (each in [0, 1)), the sums of r, of r r, and of r v: all nine
// products, or, where r x v is enough, three; of species that differ in mass each times its mass. Integers of 64 bits
// as all sums of cells: 2^-50 for places, for products with velocities as fine as a cell's number of particles and the
// limit of speeds leave room for.
#pragma once

#include "kernels/bricks/halved_sums.hpp"
#include "physics/mpcd/mixture/mixture_sums.hpp"
#include "physics/mpcd/sum_words.hpp"

namespace mesowarp::mpcd {

// Base: of momentum, mass and energy.
template <int Products, class Base = CellSums>
struct AngularSums : Base {
  double r[3], rr[6];   // xx yy zz xy xz yz
  double rv[Products];  // 9: [r][v]; 3: r x v

  // Those of SumScaleIn::toPlace and toProduct.
  KOKKOS_INLINE_FUNCTION static double placeUnit(const SumScale& scale) {
    const int bits = Base::number == CellSums::number ? SumScale::mostPlaceBits : scale.placeBits();
    return math::divide(1.0, static_cast<double>(u64{1} << bits));
  }
  KOKKOS_INLINE_FUNCTION static double productUnit(const SumScale& scale) {
    return scale.speedLimit * math::divide(1.0, static_cast<double>(u64{1} << scale.productBits()));
  }
  KOKKOS_INLINE_FUNCTION AngularSums(const SumScale& scale, const u64* sum) : Base(scale, sum) {
    const double place = placeUnit(scale), unit = productUnit(scale);
    const u64* const further = sum + Base::number;
    for (int k = 0; k < 3; ++k) r[k] = numberOf(further[k]) * place;
    for (int k = 0; k < 6; ++k) rr[k] = numberOf(further[3 + k]) * place;
    for (int k = 0; k < Products; ++k) rv[k] = numberOf(further[9 + k]) * unit;
  }

  // What others add: m r, m r r, and all nine m r v.
  KOKKOS_INLINE_FUNCTION void add(const double (&places)[9], const double (&ofVelocities)[9]) {
    for (int k = 0; k < 3; ++k) r[k] += places[k];
    for (int k = 0; k < 6; ++k) rr[k] += places[3 + k];
    for (int k = 0; k < Products; ++k) {
      const int b = k == 2 ? 0 : k + 1, c = k == 0 ? 2 : k - 1;
      rv[k] += Products == 9 ? ofVelocities[k] : ofVelocities[3 * b + c] - ofVelocities[3 * c + b];
    }
  }
};

// What a particle adds: of places, and of places and velocities, in 1 / unit, which has its mass.
struct LeverSums {
  static constexpr int places = 9;
  KOKKOS_FORCEINLINE_FUNCTION static void ofPlaces(double unit, const double (&r)[3], u64* to) {
    for (int k = 0; k < 3; ++k) {
      const int b = k < 2 ? 0 : 1, c = k == 0 ? 1 : 2;  // xy xz yz
      to[k] = integer(r[k] * unit);
      to[3 + k] = integer(r[k] * r[k] * unit), to[6 + k] = integer(r[b] * r[c] * unit);
    }
  }
  template <int Products>
  KOKKOS_FORCEINLINE_FUNCTION static void ofProducts(double unit, const double (&r)[3], const double (&v)[3], u64* to) {
    if constexpr (Products == 9) {
      for (int k = 0; k < 3; ++k)
        to[3 * k] = integer(r[k] * v[0] * unit), to[3 * k + 1] = integer(r[k] * v[1] * unit),
               to[3 * k + 2] = integer(r[k] * v[2] * unit);
    } else {
      for (int k = 0; k < 3; ++k) {
        const int b = k == 2 ? 0 : k + 1, c = k == 0 ? 2 : k - 1;
        to[k] = integer((r[b] * v[c] - r[c] * v[b]) * unit);
      }
    }
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static u64 integer(double x) { return static_cast<u64>(nearest(x)); }
};

template <bool Wide, bool Energy, int Products>
struct AngularWords : HalvedSums<SumWords<Wide, Energy>::sums + LeverSums::places + Products> {
  using Cell = AngularSums<Products>;
  using Plain = SumWords<Wide, Energy>;
  static constexpr bool mixed = false;

  // The sums behind those of Plain: of places, and of places and velocities.
  static constexpr int places = LeverSums::places, products = Products, apart = places + products;
  static constexpr double toPlace = static_cast<double>(u64{1} << SumScale::mostPlaceBits);
  KOKKOS_FORCEINLINE_FUNCTION static void ofPlaces(const double (&r)[3], u64* to) {
    LeverSums::ofPlaces(toPlace, r, to);
  }
  template <class Scale>
  KOKKOS_FORCEINLINE_FUNCTION static void ofProducts(const Scale& scale, const double (&r)[3], const double (&v)[3],
                                                     u64* to) {
    LeverSums::ofProducts<Products>(static_cast<double>(scale.toProduct), r, v, to);
  }
};

// Of species that differ in mass.
template <int Products>
struct AngularMixtureWords : HalvedSums<MixtureWords::sums + LeverSums::places + Products> {
  using Cell = AngularSums<Products, MixtureSums>;
  static constexpr bool mixed = true;
  static constexpr int apart = 0;

  template <class Scale>
  KOKKOS_FORCEINLINE_FUNCTION static void put(const Scale& scale, double mass, const double (&v)[3], double squared,
                                              u64* sum) {
    MixtureWords::put(scale, mass, v, squared, sum);
  }
  template <class Scale>
  KOKKOS_FORCEINLINE_FUNCTION static void putLever(const Scale& scale, double mass, const double (&r)[3],
                                                   const double (&v)[3], u64* sum) {
    u64* const further = sum + MixtureWords::sums;
    LeverSums::ofPlaces(mass * static_cast<double>(scale.toPlace), r, further);
    LeverSums::ofProducts<Products>(mass * static_cast<double>(scale.toProduct), r, v, further + LeverSums::places);
  }
};

}  // namespace mesowarp::mpcd
