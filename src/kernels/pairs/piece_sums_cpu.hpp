// What a CPU core keeps of the products that a block's pairs add to their particles' sums, and how it adds them up for
// a piece of a row: for each accumulator its own way, so that the loop over pairs stays one loop without sums.
//
//   Slot, slots                     what is kept of a product: so many of these
//   store(term, c, k, a, b)         of channel c, a and b vectors of the pairs from k on
//   add<N>(term, begin, count, totals)   merges the sums of so many pairs into each of N channels' totals
#pragma once

#include <cstring>
#include <type_traits>

#include "core/accumulators.hpp"
#include "device/pair_lanes_cpu.hpp"
#include "kernels/pairs/piece_vector_cpu.hpp"

namespace mesowarp::backend {

// Sums of `count` numbers in each of N arrays, in an order that depends on the count alone: eight lanes side by side,
// then those. Zeros behind the last number change nothing, so there is a branch only for what is longer than most.
template <int N, class Real, int Padded>
[[gnu::flatten]] void sumEach(Real (*term)[Padded], int begin, int count, Real* total) {
  using Lanes = PieceVector<Real>;
  const auto firstTwo = [&](const Real* from) {
    Lanes sum = Lanes::load(from, count);
    sum += Lanes::load(from + pieceLanes, count - pieceLanes);
    return sum;
  };
  if (count <= 2 * pieceLanes) {
    for (int c = 0; c < N; ++c) total[c] = firstTwo(term[c] + begin).sum();
    return;
  }
  for (int c = 0; c < N; ++c) {
    Lanes sum = firstTwo(term[c] + begin);
    for (int k = 2 * pieceLanes; k < count; k += pieceLanes) sum += Lanes::load(term[c] + begin + k, count - k);
    total[c] = sum.sum();
  }
}

// A pair's product as it is.
template <class Real>
struct ProductTerms {
  using Slot = Real;
  static constexpr int slots = 1;
  template <int Padded, class V>
  static void store(Slot (*term)[Padded], int c, int k, const V& a, const V& b) {
    backend::store(term[c] + k, a * b);
  }
};

// Numbers from `at` on; zero from the count-th on.
template <class Real>
Pack<Real> loadFirst(const Real* at, int count) {
  using Integers = typename Pack<Real>::Integers;
  using Integer = typename BitsOf<Real>::Integer;
  static constexpr Integer lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  Integers v, lane;
  std::memcpy(&v, at, sizeof(v));
  std::memcpy(&lane, lanes, sizeof(lane));
  return Pack<Real>(typename Pack<Real>::Vector(v & (lane < Integers{} + Integer(count))));
}

// Here for the methods that have no way of their own, whose lanes each sum as the method does.
template <class Sum>
struct PieceTerms;
template <template <class> class SumOf, class Real>
struct PieceTerms<SumOf<Real>> : ProductTerms<Real> {
  template <int N, int Padded, class Total>
  static void add(Real (*term)[Padded], int begin, int count, Total* totals) {
    using V = Pack<Real>;
    for (int c = 0; c < N; ++c) {
      SumOf<V> sum;
      for (int k = 0; k < count; k += V::width) sum.add(loadFirst(term[c] + begin + k, count - k), V(Real(1)));
      sum.endTile();
      for (int l = 0; l < V::width; ++l) totals[c].merge(sum.total(l));
    }
  }
};

template <class Real>
struct PieceTerms<PlainSum<Real>> : ProductTerms<Real> {
  template <int N, int Padded, class Total>
  static void add(Real (*term)[Padded], int begin, int count, Total* totals) {
    Real sum[N];
    sumEach<N>(term, begin, count, sum);
    for (int c = 0; c < N; ++c) totals[c].merge({sum[c]});
  }
};

// Integers of which at most mostTerms are added: `high` must stay below 2^Bits in magnitude, else the term was 1 or
// more.
template <int Bits, class Word>
struct PieceRange {
  PieceVector<Word> seen;
  void see(const PieceVector<Word>& high) { seen |= high + (Word{1} << Bits); }
  bool left() const {
    Word all = 0;
    for (int l = 0; l < pieceLanes; ++l) all |= seen[l];
    return all >> (Bits + 1) != 0;
  }
};

template <>
struct PieceTerms<FixedSum<float>> {
  using Slot = u32;  // two's complement
  static constexpr int slots = 2;
  template <int Padded>
  static void store(Slot (*term)[Padded], int c, int k, Floats a, Floats b) {
    using Fixed = FixedWords<Floats>;
    const Fixed fixed = Fixed::of(a, b);
    backend::store(term[2 * c] + k, Keys(fixed.high - Fixed::highZero));
    backend::store(term[2 * c + 1] + k, Keys(fixed.low - Fixed::lowZero));
  }
  template <int N, int Padded, class Total>
  static void add(Slot (*term)[Padded], int begin, int count, Total* totals) {
    using Lanes = PieceVector<u32>;
    for (int c = 0; c < N; ++c) {
      Lanes high, low;
      PieceRange<22, u32> range;
      for (int k = 0; k < count; k += pieceLanes) {
        const auto of = Lanes::load(term[2 * c] + begin + k, count - k);
        range.see(of);
        high += of;
        low += Lanes::load(term[2 * c + 1] + begin + k, count - k);
      }
      i64 upper = 0, lower = 0;
      for (int l = 0; l < pieceLanes; ++l) upper += static_cast<i32>(high[l]), lower += static_cast<i32>(low[l]);
      totals[c].merge({range.left() ? Total::overflow : upper * (i64{1} << 22) + lower});
    }
  }
};

template <>
struct PieceTerms<FixedSum<double>> {
  using Slot = u64;  // two's complement
  static constexpr int slots = 1;
  template <int Padded>
  static void store(Slot (*term)[Padded], int c, int k, const WideFloats& a, const WideFloats& b) {
    constexpr double offset = FixedSum<double>::offset;
    const WideFloats moved = fusedMultiplyAdd(a, b, WideFloats(offset));
    const Doubles::Words low = wordsOf(moved.low) - math::bitCast<u64>(offset),
                         high = wordsOf(moved.high) - math::bitCast<u64>(offset);
    std::memcpy(term[c] + k, &low, sizeof(low));
    std::memcpy(term[c] + k + Doubles::width, &high, sizeof(high));
  }
  template <int N, int Padded, class Total>
  static void add(Slot (*term)[Padded], int begin, int count, Total* totals) {
    using Lanes = PieceVector<u64>;
    for (int c = 0; c < N; ++c) {
      Lanes sum;
      PieceRange<51, u64> range;
      for (int k = 0; k < count; k += pieceLanes) {
        const auto of = Lanes::load(term[c] + begin + k, count - k);
        range.see(of);
        sum += of;
      }
      u64 all = 0;
      for (int l = 0; l < pieceLanes; ++l) all += sum[l];
      totals[c].merge({range.left() ? Total::overflow : static_cast<i64>(all)});
    }
  }
};

}  // namespace mesowarp::backend
