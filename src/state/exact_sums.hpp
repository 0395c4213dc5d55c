// Sums of double-precision numbers whose bits depend on the numbers alone, not on the order in which threads, ranks or
// a GPU add them up. The largest magnitude gives a power of two; in units of 2^-62 of it the numbers are added as
// integers, a high and a low one, which is at least as exact as a sum in double precision.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>
#include <limits>

#include "comm/communicator.hpp"
#include "core/types.hpp"
#include "device/launch/sum_over.hpp"

namespace mesowarp {

// A reduction joins by +=, which here keeps the larger. Infinite or no number: DBL_MAX and more.
template <int N>
struct LargestMagnitudes {
  double value[N] = {};
  KOKKOS_INLINE_FUNCTION void add(int k, double x) {
    const double magnitude = x < 0.0 ? -x : x;
    if (!(magnitude <= value[k])) value[k] = magnitude < DBL_MAX ? magnitude : DBL_MAX;
  }
  KOKKOS_INLINE_FUNCTION LargestMagnitudes& operator+=(const LargestMagnitudes& other) {
    for (int k = 0; k < N; ++k) add(k, other.value[k]);
    return *this;
  }
};
template <int N>
struct FixedParts {
  i64 high[N] = {}, low[N] = {};
  i64 tooLarge = 0;  // terms, which are left out
  KOKKOS_INLINE_FUNCTION FixedParts& operator+=(const FixedParts& other) {
    for (int k = 0; k < N; ++k) high[k] += other.high[k], low[k] += other.low[k];
    tooLarge += other.tooLarge;
    return *this;
  }
};

template <class Totals>
constexpr int numbersIn = static_cast<int>(sizeof(Totals) / sizeof(double));

// Of terms(i), a Totals: a struct of doubles alone.
template <class Totals, class Terms>
struct FindMagnitudes {
  Terms terms;
  KOKKOS_INLINE_FUNCTION void operator()(int i, LargestMagnitudes<numbersIn<Totals>>& largest) const {
    const Totals of = terms(i);
    for (int k = 0; k < numbersIn<Totals>; ++k) largest.add(k, reinterpret_cast<const double*>(&of)[k]);
  }
};
template <class Totals, class Terms>
struct AddFixed {
  Terms terms;
  double scale[numbersIn<Totals>];
  KOKKOS_INLINE_FUNCTION void operator()(int i, FixedParts<numbersIn<Totals>>& sum) const {
    const Totals of = terms(i);
    for (int k = 0; k < numbersIn<Totals>; ++k) {
      const double x = scale[k] > 0.0 ? reinterpret_cast<const double*>(&of)[k] * scale[k] : 0.0;
      if (!(x < 0x1p30 && x > -0x1p30)) {
        ++sum.tooLarge;
        continue;
      }
      const i64 whole = static_cast<i64>(x);
      sum.high[k] += whole;
      sum.low[k] += static_cast<i64>((x - static_cast<double>(whole)) * 0x1p32);
    }
  }
};

// The sums in units of 2^-32 of 1 / scale.
template <class Totals, class Terms>
FixedParts<numbersIn<Totals>> fixedSums(const char* label, int count, const AddFixed<Totals, Terms>& add,
                                        const comm::Communicator* ranks) {
  constexpr int n = numbersIn<Totals>;
  auto sum = backend::sumOver<FixedParts<n>>(label, count, add);
  if (ranks) ranks->sum(sum.high, n), ranks->sum(sum.low, n), sum.tooLarge = ranks->sum(sum.tooLarge);
  return sum;
}

template <class Totals, class Terms>
Totals inUnits(const FixedParts<numbersIn<Totals>>& sum, const AddFixed<Totals, Terms>& of) {
  Totals total;
  for (int k = 0; k < numbersIn<Totals>; ++k) {
    const double high = static_cast<double>(sum.high[k] + (sum.low[k] >> 32)),
                 low = static_cast<double>(sum.low[k] & 0xFFFFFFFF);
    reinterpret_cast<double*>(&total)[k] =
        of.scale[k] > 0.0 ? (high + low * 0x1p-32) / of.scale[k] : std::numeric_limits<double>::quiet_NaN();
  }
  return total;
}

// sum_i terms(i) over i in [0, count) of every rank; terms(i) gives a Totals, at most 2^30 of them. ranks: null for
// one. within: a number that magnitudes are hardly ever above, from the deck alone; then the largest need not be found
// first, which saves half of the time, and the unit is 2^-62 of it. If one is above, all is done again without it; 0:
// it is not known. Collective. What holds an infinity or a NaN becomes NaN.
template <class Totals, class Terms>
Totals exactSums(const char* label, int count, const Terms& terms, const comm::Communicator* ranks,
                 double within = 0.0) {
  constexpr int n = numbersIn<Totals>;
  AddFixed<Totals, Terms> add{terms, {}};
  if (within > 0.0 && within < DBL_MAX) {
    int exponent = 0;
    std::frexp(within, &exponent);
    for (double& scale : add.scale) scale = std::ldexp(1.0, 30 - std::max(exponent, -990));
    if (const auto sum = fixedSums<Totals>(label, count, add, ranks); sum.tooLarge == 0)
      return inUnits<Totals>(sum, add);
  }
  auto largest = backend::sumOver<LargestMagnitudes<n>>(label, count, FindMagnitudes<Totals, Terms>{terms});
  if (ranks) ranks->largest(largest.value, n);
  for (int k = 0; k < n; ++k) {
    int exponent = 0;
    std::frexp(largest.value[k], &exponent);  // |x| < 2^exponent
    add.scale[k] = largest.value[k] < DBL_MAX ? std::ldexp(1.0, 30 - std::max(exponent, -990)) : 0.0;
  }
  return inUnits<Totals>(fixedSums<Totals>(label, count, add, ranks), add);
}

}  // namespace mesowarp
