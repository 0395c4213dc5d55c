// The radix sort against std::stable_sort.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "backend/sort.hpp"
#include "test_device.hpp"
#include "test_statistics.hpp"

namespace mesowarp {
namespace {

u32 lowest(u32 key, int bits) { return bits >= 32 ? key : key & ((u32{1} << bits) - 1); }

void expectSorted(backend::Sorter& sorter, const std::vector<u32>& keys, int bits) {
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  const auto [deviceKeys, deviceOrder] =
      sorter.sort({test::onDevice(keys), test::onDevice(order)},
                  {DeviceArray<u32>("other keys", keys.size()), DeviceArray<int>("other values", keys.size())}, bits);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return lowest(keys[a], bits) < lowest(keys[b], bits); });
  ASSERT_EQ(deviceKeys.extent(0), keys.size());
  const std::vector<int> got = test::toVector(deviceOrder);
  const std::vector<u32> gotKeys = test::toVector(deviceKeys);
  ASSERT_EQ(got, order) << keys.size() << " keys, " << bits << " bits";
  for (std::size_t k = 0; k < keys.size(); ++k)
    ASSERT_EQ(gotKeys[k], keys[order[k]]) << keys.size() << " keys, " << bits << " bits";
}

std::vector<u32> randomKeys(std::size_t n, int bits, u64 seed) {
  test::Uniform uniform(seed);
  std::vector<u32> keys(n);
  for (u32& key : keys) key = lowest(static_cast<u32>(uniform.word()), bits);
  return keys;
}

TEST(CoreSort, AgreesWithStableSort) {
  for (const std::size_t n : {0, 1, 2, 3, 255, 1000, 100003}) {
    backend::Sorter sorter;
    for (const int bits : {1, 6, 8, 9, 16, 17, 24, 31, 32}) expectSorted(sorter, randomKeys(n, bits, n + bits), bits);
  }
}

TEST(CoreSort, OneSorterForManySizes) {
  backend::Sorter sorter;
  for (const std::size_t n : {1000, 10, 5000, 1, 0, 999, 5000}) expectSorted(sorter, randomKeys(n, 20, n), 20);
}

TEST(CoreSort, FewDistinctKeys) {
  backend::Sorter sorter;
  expectSorted(sorter, std::vector<u32>(10000, 77u), 12);
  std::vector<u32> keys = randomKeys(10000, 2, 5);
  for (u32& key : keys) key <<= 10;
  expectSorted(sorter, keys, 12);
  std::vector<u32> falling(5000);
  for (u32 k = 0; k < 5000; ++k) falling[k] = 5000 - k;
  expectSorted(sorter, falling, 13);
}

TEST(CoreSort, LowerBitsDoNotCount) {
  backend::Sorter sorter;
  std::vector<u32> keys = randomKeys(5000, 20, 4);
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  const auto sorted = sorter.sort({test::onDevice(keys), test::onDevice(order)},
                                  {DeviceArray<u32>("other keys", keys.size()), DeviceArray<int>("other", keys.size())}, 20, 6);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] >> 6 < keys[b] >> 6; });
  EXPECT_EQ(test::toVector(sorted.values), order);
}

// Bits from `bits` on: higher ones do not count.
TEST(CoreSort, HigherBitsDoNotCount) {
  backend::Sorter sorter;
  for (const int bits : {8, 10, 16, 21}) expectSorted(sorter, randomKeys(3000, 32, bits), bits);
}

}  // namespace
}  // namespace mesowarp
