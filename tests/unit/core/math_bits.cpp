// The same bits from every compilation of the same source, and from the device.
#include <gtest/gtest.h>

#include "device/host_copy.hpp"
#include "tests/unit/core/math_bits_all.hpp"

namespace mesowarp::test {
namespace {

struct BitsOnDevice {
  DeviceArray<u64> bits;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    u64* const at = bits.data() + static_cast<std::size_t>(k) * bitsOfAnInput;
    if (k < bitInputs)
      bitsOf<float>(k, at);
    else
      bitsOf<double>(k - bitInputs, at);
  }
};

// The first input and word that differ, or -1, -1.
std::pair<int, int> firstDifference(const std::vector<u64>& a, const std::vector<u64>& b) {
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t w = 0; w < a.size(); ++w)
    if (a[w] != b[w]) return {static_cast<int>(w / bitsOfAnInput), static_cast<int>(w % bitsOfAnInput)};
  return {-1, -1};
}

TEST(MathBits, NoCompilationDiffers) {
  const std::vector<u64> here = allBits();
  const std::pair none{-1, -1};
  EXPECT_EQ(firstDifference(here, bitsUnoptimised()), none);
  EXPECT_EQ(firstDifference(here, bitsWithoutFma()), none);
  EXPECT_EQ(firstDifference(here, bitsContracted()), none);
}

TEST(MathBits, TheDeviceAgrees) {
  const std::vector<u64> here = allBits();
  const DeviceArray<u64> bits("bits", here.size());
  Kokkos::parallel_for("bits", Range(0, 2 * bitInputs), BitsOnDevice{bits});
  const auto host = hostCopy(bits);
  EXPECT_EQ(firstDifference(here, std::vector<u64>(host.data(), host.data() + here.size())), (std::pair{-1, -1}));
}

}  // namespace
}  // namespace mesowarp::test
