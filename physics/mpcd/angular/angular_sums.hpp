// What a cell sums up beside momentum and energy, where its collision keeps the angular momentum: of its particles'
// places r, in edges of the cell from its lower corner (each in [0, 1)), the sums of r, of r r, and of r v: all nine
// products, or, where r x v is enough, three. Integers of 64 bits as all sums of cells: 2^-50 for places, for products
// with velocities as fine as a cell's number of particles and the limit of speeds leave room for.
#pragma once

#include "kernels/bricks/halved_sums.hpp"
#include "physics/mpcd/sum_words.hpp"

namespace mesowarp::mpcd {

template <int Products>
struct AngularSums : CellSums {
  static constexpr double placeUnit = 0x1p-50;
  double r[3], rr[6];   // xx yy zz xy xz yz
  double rv[Products];  // 9: [r][v]; 3: r x v

  // That of SumScaleIn::toProduct.
  KOKKOS_INLINE_FUNCTION static double productUnit(const SumScale& scale) {
    return scale.speedLimit * math::divide(1.0, static_cast<double>(u64{1} << (61 - scale.countBits)));
  }
  KOKKOS_INLINE_FUNCTION AngularSums(const SumScale& scale, const u64* sum) : CellSums(scale, sum) {
    const double unit = productUnit(scale);
    for (int k = 0; k < 3; ++k) r[k] = numberOf(sum[4 + k]) * placeUnit;
    for (int k = 0; k < 6; ++k) rr[k] = numberOf(sum[7 + k]) * placeUnit;
    for (int k = 0; k < Products; ++k) rv[k] = numberOf(sum[13 + k]) * unit;
  }

private:
  KOKKOS_INLINE_FUNCTION static double numberOf(u64 sum) { return static_cast<double>(static_cast<i64>(sum)); }
};

template <bool Wide, bool Energy, int Products>
struct AngularWords : HalvedSums<SumWords<Wide, Energy>::sums + 9 + Products> {
  using Cell = AngularSums<Products>;
  using Plain = SumWords<Wide, Energy>;
  static constexpr bool mixed = false;

  // The sums behind those of Plain: of places, and of places and velocities.
  static constexpr int places = 9, products = Products, apart = places + products;
  KOKKOS_FORCEINLINE_FUNCTION static void ofPlaces(const double (&r)[3], u64* to) {
    constexpr double place = 1.0 / Cell::placeUnit;
    for (int k = 0; k < 3; ++k) {
      const int b = k < 2 ? 0 : 1, c = k == 0 ? 1 : 2;  // xy xz yz
      to[k] = integer(r[k] * place);
      to[3 + k] = integer(r[k] * r[k] * place), to[6 + k] = integer(r[b] * r[c] * place);
    }
  }
  template <class Scale>
  KOKKOS_FORCEINLINE_FUNCTION static void ofProducts(const Scale& scale, const double (&r)[3], const double (&v)[3],
                                                     u64* to) {
    const double product = static_cast<double>(scale.toProduct);
    if constexpr (Products == 9) {
      for (int k = 0; k < 3; ++k)
        to[3 * k] = integer(r[k] * v[0] * product), to[3 * k + 1] = integer(r[k] * v[1] * product),
               to[3 * k + 2] = integer(r[k] * v[2] * product);
    } else {
      for (int k = 0; k < 3; ++k) {
        const int b = k == 2 ? 0 : k + 1, c = k == 0 ? 2 : k - 1;
        to[k] = integer((r[b] * v[c] - r[c] * v[b]) * product);
      }
    }
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static u64 integer(double x) { return static_cast<u64>(nearest(x)); }
};

}  // namespace mesowarp::mpcd
