// How large the sums of a law are, so that a power of two can bring them into the range of fixed point. What decides on
// that power must not depend on an order of summation: the largest term does not, nor does a fixed-point sum of the
// magnitudes.
#pragma once

#include <algorithm>
#include <cmath>

#include "comm/communicator.hpp"
#include "physics/nbody/shared_bodies.hpp"

namespace mesowarp::nbody {

// As an accumulator (core/accumulators.hpp): the largest magnitude of a term.
template <class R>
struct LargestTerm {
  struct Total {
    typename Lanes<R>::Scalar largest{};
    KOKKOS_INLINE_FUNCTION void merge(const Total& other) { largest = math::larger(largest, other.largest); }
    KOKKOS_INLINE_FUNCTION double value() const { return static_cast<double>(largest); }
    KOKKOS_INLINE_FUNCTION bool overflowed() const { return false; }
  };
  static constexpr bool scaled = false;
  R largest = R(0);
  KOKKOS_FORCEINLINE_FUNCTION void add(R a, R b) {
    using math::larger;
    const R term = a * b;
    largest = larger(largest, larger(term, -term));
  }
  KOKKOS_FORCEINLINE_FUNCTION void endTile() {}
  KOKKOS_FORCEINLINE_FUNCTION auto total(int lane) const {
    return typename LargestTerm<typename Lanes<R>::Scalar>::Total{Lanes<R>::get(largest, lane)};
  }
};

// A law whose terms are magnitudes.
template <class Sums>
struct MagnitudeSums {
  Sums& sums;
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION void add(int c, V a, V b) {
    using math::larger;
    const V term = a * b;
    sums.add(c, V(1), larger(term, -term));
  }
};
template <class Law>
struct MagnitudesOf : Law {
  static constexpr bool paired = false, neverAfterwards = true, seldomAsked = true;
  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const typename Law::template At<V>& i, const typename Law::Body& j,
                                              Sums& sums) const {
    MagnitudeSums<Sums> magnitudes{sums};
    Law::operator()(i, j, magnitudes);
  }
};

struct LargestValue {
  DeviceArray<backend::BodySums> sums;
  int channels;
  KOKKOS_INLINE_FUNCTION void operator()(int i, double& largest) const {
    for (int c = 0; c < channels; ++c) largest = sums(i).value[c] > largest ? sums(i).value[c] : largest;
  }
};
// Of the sums of all ranks' bodies, which are not negative. Collective.
inline double largestOf(const DeviceArray<backend::BodySums>& sums, int channels, const comm::Communicator* ranks) {
  double largest = 0.0;
  Kokkos::parallel_reduce("largest sum", Range(0, static_cast<int>(sums.extent(0))), LargestValue{sums, channels},
                          Kokkos::Max<double>(largest));
  if (ranks) ranks->largest(&largest, 1);
  return largest;
}

// The smallest e with x <= 2^e.
inline int exponentAbove(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent) == 0.5 ? exponent - 1 : exponent;
}

// The power of two at which no fixed-point sum of `count` terms up to `term` can overflow: a term has to stay below 1,
// all together in single precision below 2^19, in double precision below 2^12. A bit is left for terms that round
// otherwise at another scale.
template <class S>
double scaleOfSums(double term, int count) {
  constexpr int ofAll = sizeof(S) == 4 ? 18 : 11;
  return std::ldexp(1.0, -(exponentAbove(term) + 1 + std::max(0, exponentAbove(count) - ofAll)));
}

}  // namespace mesowarp::nbody
