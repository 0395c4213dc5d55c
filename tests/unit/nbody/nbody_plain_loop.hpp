// Bodies, a task to sum their pairs in fixed point, and the sums of one number after another in a plain loop, which all
// ways to do the task must have, bit by bit.
#pragma once

#include <gtest/gtest.h>

#include "physics/nbody/gravity_source.hpp"
#include "physics/nbody/lj_coulomb_source.hpp"
#include "tests/unit/nbody/nbody_systems.hpp"

namespace mesowarp::test {

inline nbody::ForceSettings bitwise(nbody::ForceSettings settings) {
  settings.bitwise = true;
  return settings;
}
// For portable laws: gravity, and charges with the dielectric of the most terms.
inline nbody::ForceSettings bitwiseGravity() {
  return bitwise(gravitySettings(input::Precision::single, input::Accumulator::narumi));
}
inline nbody::ForceSettings bitwiseCharges() {
  return bitwise(chargeSettings(nbody::Dielectric::sigmoidal, input::Precision::single, input::Accumulator::narumi));
}
constexpr double gravityScale = 0x1p-14, chargesScale = 0x1p-20;  // with which no term leaves the range

template <class Source>
struct PlainLoopSums {
  using Law = typename Source::Law;
  using S = typename Law::Scalar;

  Source source;  // its law's table is its own
  int n;
  Bodies bodies;
  backend::PairsTask<Law> task;
  std::vector<std::array<double, backend::mostChannels>> expected;

  PlainLoopSums(const nbody::ForceSettings& settings, double scale, int count)
      : source(settings), n(count), bodies(ball(n, 31, 0.2, 2.5)), expected(n) {
    task.law = source.law(scale);
    task.bodies = DeviceArray<typename Law::Body>("bodies", n);
    Kokkos::parallel_for("pack bodies", Range(0, n),
                         nbody::PackBodies<Law>{bodies.view(), task.bodies, 0, source.weight(scale)});
    task.last = task.activeCount = n;
    task.sums = DeviceArray<backend::BodySums>("sums", n);
    task.overflow = Kokkos::View<int, backend::SharedSpace>("overflow");
    const auto packed = hostCopy(task.bodies);
    Law law = task.law;
    const auto table = [&] {
      if constexpr (requires { law.table; }) {
        const auto size = law.types * law.rowLength();
        return hostCopy(Kokkos::View<const std::remove_const_t<std::remove_pointer_t<decltype(law.table)>>*, Memory,
                                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>(law.table, size));
      } else {
        return 0;
      }
    }();
    if constexpr (requires { law.table; }) law.table = table.data();
    for (int i = 0; i < n; ++i) {
      typename Law::template At<S> here;
      here.set(0, packed(i), law);
      backend::SumSet<Law, FixedSum<S>> sums;
      for (int j = n - 1; j >= 0; --j) {
        if (j != i) law(here, packed(j), sums);
        if (j % 100 == 0) sums.endTile();
      }
      for (int c = 0; c < Law::channels; ++c) {
        EXPECT_FALSE(sums.channel[c].total(0).overflowed()) << "body " << i << ", sum " << c;
        expected[i][c] = sums.channel[c].total(0).value();
      }
    }
  }

  // What task.sums has; it is cleared then.
  void expectThem(const char* how) {
    const auto host = hostCopy(task.sums);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < Law::channels; ++c)
        ASSERT_EQ(host(i).value[c], expected[i][c]) << how << ": body " << i << ", sum " << c;
    EXPECT_EQ(task.overflow(), 0) << how;
    Kokkos::deep_copy(task.sums, backend::BodySums{});
  }
};

}  // namespace mesowarp::test
