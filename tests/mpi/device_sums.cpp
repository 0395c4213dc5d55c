// Sums over ranks of integers of the device, each way that there is, under way beside other kernels.
#include "comm/device_sums.hpp"

#include <gtest/gtest.h>

#include "device/host_copy.hpp"

namespace mesowarp::comm {
namespace {

struct AddOne {
  DeviceArray<i64> values;
  i64 of;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { values(i) += of * (i + 1); }
};

TEST(DeviceSums, AddUpWhatKernelsLeave) {
  const Communicator ranks;
  constexpr int n = 1000;
  const i64 size = ranks.size(), large = i64{1} << 40;
  for (const bool overHost : {true, false}) {
    const DeviceArray<i64> values("values", n);
    const auto sums = makeDeviceSums(ranks, values, overHost);
    if (overHost) {
      EXPECT_STREQ(sums->name(), "mpi");
    }
    i64 expected = 0;
    for (int turn = 0; turn < 3; ++turn) {  // what came is what the next one begins with
      Kokkos::parallel_for("own share", Range(0, n), AddOne{values, large * ranks.rank() - turn});
      sums->start();
      sums->finish();
      expected = size * expected + large * size * (size - 1) / 2 - size * turn;
      const auto host = hostCopy(values);
      for (int i = 0; i < n; ++i) ASSERT_EQ(host(i), expected * (i + 1)) << sums->name() << ", turn " << turn;
    }
  }
}

// A rank that has nothing to wait for may leave while others' values are on their way.
TEST(DeviceSums, MayBeUnderWayAtTheEnd) {
  const Communicator ranks;
  const DeviceArray<i64> values("values", 10);
  const auto sums = makeDeviceSums(ranks, values, true);
  sums->start();
}

}  // namespace
}  // namespace mesowarp::comm
