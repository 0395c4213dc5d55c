// Sums of many numbers over a range of the device, and of the host.
#include "device/launch/sum_over.hpp"

#include <gtest/gtest.h>

#include "device/host_loop.hpp"
#include "state/exact_sums.hpp"
#include "tests/unit/support/numbered_sums.hpp"

namespace mesowarp::test {
namespace {

TEST(SumOver, EachPlaceOnce) {
  for (const int count : {0, 1, 31, 127, 128, 129, 5000, 1'000'003})
    expectNumbered(backend::sumOver<ThermoSums>("numbered", count, AddNumbered{}), count);
}

TEST(SumOver, OfTheHost) {
  for (const i64 count : {0, 1, 1000})
    expectNumbered(hostSum<ThermoSums>("numbered", 0, count,
                                       [](i64 i, ThermoSums& sum) { AddNumbered{}(static_cast<int>(i), sum); }),
                   count);
}

// Of two sizes in turns: the room of the larger one is kept.
struct Two {
  i64 number[2] = {};
  KOKKOS_INLINE_FUNCTION Two& operator+=(const Two& other) {
    for (int k = 0; k < 2; ++k) number[k] += other.number[k];
    return *this;
  }
};
struct CountOdd {
  KOKKOS_INLINE_FUNCTION void operator()(int i, Two& sum) const { ++sum.number[i % 2]; }
};

TEST(SumOver, OfAnotherSizeAfterwards) {
  for (const int count : {1001, 100'001}) {
    const Two sum = backend::sumOver<Two>("odd", count, CountOdd{});
    EXPECT_EQ(sum.number[0], count / 2 + 1);
    EXPECT_EQ(sum.number[1], count / 2);
    expectNumbered(backend::sumOver<ThermoSums>("numbered", count, AddNumbered{}), count);
  }
}

struct Reciprocals {
  struct Totals {
    double value[30];
  };
  KOKKOS_INLINE_FUNCTION Totals operator()(int i) const {
    Totals of;
    for (int k = 0; k < 30; ++k) of.value[k] = (k == 29 ? 1e3 : 1.0) * (i % 2 == 0 ? 1.0 : -1.0) / (i + k + 1.0);
    return of;
  }
};

// 61 numbers a thread, more than the 48 KiB of shared memory that a block of a GPU has if it does not ask for more.
TEST(SumOver, ExactSumsOfThirtyNumbers) {
  const int count = 70'000;
  const auto sum = exactSums<Reciprocals::Totals>("reciprocals", count, Reciprocals{}, nullptr);
  for (int k = 0; k < 30; ++k) {
    long double expected = 0.0L;
    for (int i = 0; i < count; ++i) expected += static_cast<long double>(Reciprocals{}(i).value[k]);
    EXPECT_NEAR(sum.value[k], static_cast<double>(expected), 1e-12 * (k == 29 ? 1e3 : 1.0)) << k;
  }
}

}  // namespace
}  // namespace mesowarp::test
