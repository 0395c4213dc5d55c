// Eight numbers side by side, in as many vector registers as they need: what a CPU core adds the terms of a piece of a
// row up in. Not one vector of GCC's, which GCC 12 takes apart through memory where registers are narrower (AVX2 in
// double precision: a third of the time of all pair forces).
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "device/pack_cpu.hpp"

namespace mesowarp::backend {

constexpr int pieceLanes = 8;

template <class T>
class PieceVector {
public:
  // Eight of `at`; zero from the count-th on.
  static PieceVector load(const T* at, int count) {
    static constexpr Integer numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
    PieceVector loaded;
    for (int p = 0; p < parts; ++p) {
      Integers v, lane;
      std::memcpy(&v, at + p * lanes, sizeof(v));
      std::memcpy(&lane, numbers + p * lanes, sizeof(lane));
      loaded.part_[p] = Vector(v & (lane < Integers{} + Integer(count)));
    }
    return loaded;
  }
  PieceVector& operator+=(const PieceVector& other) {
    for (int p = 0; p < parts; ++p) part_[p] += other.part_[p];
    return *this;
  }
  PieceVector& operator|=(const PieceVector& other) {
    for (int p = 0; p < parts; ++p) part_[p] |= other.part_[p];
    return *this;
  }
  PieceVector operator+(T number) const {
    PieceVector sum;
    for (int p = 0; p < parts; ++p) sum.part_[p] = part_[p] + number;
    return sum;
  }
  T operator[](int lane) const { return part_[lane / lanes][lane % lanes]; }
  // Lanes 4 apart added up, then those 2 apart, then the last two.
  T sum() const {
    if constexpr (parts == 4)
      return sumOf((part_[0] + part_[2]) + (part_[1] + part_[3]));
    else if constexpr (parts == 2)
      return sumOf(part_[0] + part_[1]);
    else
      return sumOf(part_[0]);
  }

private:
  static constexpr int bytes = std::min(packBytes, pieceLanes* static_cast<int>(sizeof(T)));
  static constexpr int lanes = bytes / static_cast<int>(sizeof(T)), parts = pieceLanes / lanes;
  using Integer = std::conditional_t<sizeof(T) == 8, i64, i32>;
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef Integer Integers __attribute__((vector_size(bytes)));

  template <class V>
  static T sumOf(const V& v) {
    constexpr int n = sizeof(V) / sizeof(T);
    if constexpr (n == 8)
      return sumOf(shuffled<0, 1, 2, 3>(v, v) + shuffled<4, 5, 6, 7>(v, v));
    else if constexpr (n == 4)
      return sumOf(shuffled<0, 1>(v, v) + shuffled<2, 3>(v, v));
    else
      return v[0] + v[1];
  }
  Vector part_[parts] = {};
};

}  // namespace mesowarp::backend
