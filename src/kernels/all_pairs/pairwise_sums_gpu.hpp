// Sums of a pair's terms for both of its bodies, of which those of one travel from thread to thread.
#pragma once

#include "core/accumulators.hpp"

namespace mesowarp::backend {

// How an accumulator takes a pair's terms for both bodies: what goes round is a Tile, which gets `terms` of them, at
// most 512, or as many opposite ones, then `terms` is negative; Seen, what a thread has seen of overflows. Not
// possible: the accumulator's state is too large to travel.
template <class Sum>
struct PairwiseSum {
  static constexpr bool possible = false;
};
template <class Real>
struct PairwiseSum<PlainSum<Real>> {
  static constexpr bool possible = true;
  struct Tile {
    Real sum = Real(0);
  };
  struct Seen {};
  static __device__ __forceinline__ void add(Tile& tile, Real a, Real b, Seen&) {
    tile.sum = math::fusedMultiplyAdd(a, b, tile.sum);
  }
  static __device__ __forceinline__ void addOpposite(Tile& i, Tile& j, Real a, Real b, Seen& seen) {
    add(i, a, b, seen), add(j, -a, b, seen);
  }
  template <int terms>
  static __device__ PlainTotal<Real> total(const Tile& tile, const Seen&) {
    return {tile.sum};
  }
};
template <>
struct PairwiseSum<FixedSum<float>> {
  static constexpr bool possible = true;
  using Words = FixedWords<float>;
  struct Tile {
    u32 high = 0, low = 0;
  };
  struct Seen {
    u32 bits = 0;
  };
  static __device__ __forceinline__ void add(Tile& tile, float a, float b, Seen& seen) {
    const Words term = Words::of(a, b);
    tile.high += term.high, tile.low += term.low;
    seen.bits |= term.range();
  }
  static __device__ __forceinline__ void addOpposite(Tile& i, Tile& j, float a, float b, Seen& seen) {
    const Words term = Words::of(a, b);
    i.high += term.high, i.low += term.low;
    j.high -= term.high, j.low -= term.low;
    seen.bits |= term.range();
  }
  template <int terms>
  static __device__ FixedTotal total(const Tile& tile, const Seen& seen) {
    const u32 high = tile.high - static_cast<u32>(terms) * Words::highZero,
              low = tile.low - static_cast<u32>(terms) * Words::lowZero;
    if (terms > 0) return FixedTotal::of(high, low, seen.bits);
    FixedTotal total = FixedTotal::of(0u - high, 0u - low, seen.bits);
    total.sum = -total.sum;
    return total;
  }
};

}  // namespace mesowarp::backend
