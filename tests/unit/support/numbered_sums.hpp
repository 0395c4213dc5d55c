// A sum of many numbers of which each place has its own, and whole ones: the same in any order, and known.
#pragma once

#include <gtest/gtest.h>

#include "core/sums.hpp"

namespace mesowarp::test {

struct AddNumbered {
  KOKKOS_INLINE_FUNCTION void operator()(int i, ThermoSums& sum) const {
    for (int c = 0; c < 6; ++c) sum.kinetic[c] += i + c, sum.virial[c] -= i;
    sum.potential += 0.5;
    for (int c = 0; c < 3; ++c) sum.momentum[c] += 1.0, sum.force[c] += 2.0 * i, sum.fixedForce[c] += i64{i} * i;
  }
};

// What these are for i in [0, count).
inline void expectNumbered(const ThermoSums& sum, i64 count) {
  const i64 of = count * (count - 1) / 2, squares = (count - 1) * count * (2 * count - 1) / 6;
  const auto number = static_cast<double>(of), counted = static_cast<double>(count);
  for (int c = 0; c < 6; ++c) {
    EXPECT_EQ(sum.kinetic[c], number + c * counted) << c;
    EXPECT_EQ(sum.virial[c], -number) << c;
  }
  EXPECT_EQ(sum.potential, 0.5 * counted);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(sum.momentum[c], counted) << c;
    EXPECT_EQ(sum.force[c], 2.0 * number) << c;
    EXPECT_EQ(sum.fixedForce[c], squares) << c;
  }
}

}  // namespace mesowarp::test
