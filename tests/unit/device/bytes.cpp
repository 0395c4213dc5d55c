// Memory as bytes: what is asked for is copied and filled, and nothing beside it.
#include <gtest/gtest.h>

#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "tests/unit/support/test_device.hpp"

namespace mesowarp {
namespace {

TEST(MemoryAsBytes, FillsSoManyBytes) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{3}, std::size_t{8}, std::size_t{4097}}) {
    const auto memory = toDevice<unsigned char>("some bytes", std::vector<unsigned char>(bytes + 9, 7));
    fillOn(Execution(), memory.data() + 4, 0xFF, bytes);
    Execution().fence();
    std::vector<unsigned char> expected(bytes + 9, 7);
    std::fill_n(expected.begin() + 4, bytes, 0xFF);
    EXPECT_EQ(test::toVector(memory), expected) << bytes;
  }
}

TEST(MemoryAsBytes, ClearsWhatIsZeroAsBytesAlone) {
  struct NotZero {
    int value = 1;
  };
  const auto numbers = toDevice<double>("numbers", std::vector<double>{1.0, -2.0, 3.0});
  clearOn(Execution(), numbers);
  Execution().fence();
  EXPECT_EQ(test::toVector(numbers), std::vector<double>(3, 0.0));
  EXPECT_THROW(clearOn(Execution(), DeviceArray<NotZero>()), std::logic_error);
}

TEST(MemoryAsBytes, CopiesAsManyValues) {
  const auto from = toDevice<int>("from", std::vector<int>{4, 5, 6}), to = zeroedArray<int>("to", 3);
  copyOn(Execution(), to, from);
  Execution().fence();
  EXPECT_EQ(test::toVector(to), (std::vector<int>{4, 5, 6}));
  EXPECT_THROW(copyOn(Execution(), to, zeroedArray<int>("longer", 4)), std::logic_error);
  const int host[2] = {8, 9};
  copyOn(Execution(), to.data() + 1, host, sizeof host);
  copyToDevice(to.data(), to.data(), 3 * sizeof(int));  // of itself: nothing
  Execution().fence();
  EXPECT_EQ(test::toVector(to), (std::vector<int>{4, 8, 9}));
}

}  // namespace
}  // namespace mesowarp
