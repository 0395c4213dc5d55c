// What a cell sums up beside momentum and energy, where its collision keeps the angular momentum: of its particles'
// places r, in edges of the cell from its lower corner (each in [0, 1)), the sums of r, of r r, and of r v: all nine
// products, or, where r x v is enough, three. Integers of 64 bits as all sums of cells: 2^-50 for places, for products
// with velocities as fine as a cell's number of particles and the limit of speeds leave room for.
#pragma once

#include "physics/mpcd/sum_words.hpp"

namespace mesowarp::mpcd {

template <int Products>
struct AngularSums : CellSums {
  static constexpr double placeUnit = 0x1p-50;
  double r[3], rr[6];   // xx yy zz xy xz yz
  double rv[Products];  // 9: [r][v]; 3: r x v

  template <class Scale>
  KOKKOS_INLINE_FUNCTION static double productUnit(const Scale& scale) {
    return static_cast<double>(scale.speedLimit) *
           math::divide(1.0, static_cast<double>(u64{1} << (61 - scale.countBits)));
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
struct AngularWords : SumWords<Wide, Energy> {
  using Cell = AngularSums<Products>;
  static constexpr bool windowed = false;  // too many for the memory that a block of a GPU's threads shares
  static constexpr int sums = SumWords<Wide, Energy>::sums + 9 + Products;

  // Behind those of SumWords.
  template <class Scale>
  KOKKOS_FORCEINLINE_FUNCTION static void moments(const Scale& scale, const double (&r)[3], const double (&v)[3],
                                                  u64* sum) {
    constexpr double place = 1.0 / Cell::placeUnit;
    const double product = math::divide(1.0, Cell::productUnit(scale));
    u64* const to = sum + SumWords<Wide, Energy>::sums;
    for (int k = 0; k < 3; ++k) {
      const int b = k < 2 ? 0 : 1, c = k == 0 ? 1 : 2;  // xy xz yz
      to[k] = integer(r[k] * place);
      to[3 + k] = integer(r[k] * r[k] * place), to[6 + k] = integer(r[b] * r[c] * place);
    }
    for (int k = 0; k < 3; ++k) {
      const int b = k == 2 ? 0 : k + 1, c = k == 0 ? 2 : k - 1;
      if constexpr (Products == 9)
        for (int d = 0; d < 3; ++d) to[9 + 3 * k + d] = integer(r[k] * v[d] * product);
      else
        to[9 + k] = integer((r[b] * v[c] - r[c] * v[b]) * product);
    }
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static u64 integer(double x) { return static_cast<u64>(nearest(x)); }
};

}  // namespace mesowarp::mpcd
