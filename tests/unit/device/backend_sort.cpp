// Every sort against std::stable_sort.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "kernels/sort/key_sorter.hpp"
#include "tests/unit/support/test_device.hpp"
#include "tests/unit/support/test_listening.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp {
namespace {

using backend::SortTask;

u32 lowest(u32 key, int bits) { return bits >= 32 ? key : key & ((u32{1} << bits) - 1); }

std::vector<int> stableOrder(const std::vector<u32>& keys, int bits, int firstBit) {
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return lowest(keys[a], bits) >> firstBit < lowest(keys[b], bits) >> firstBit; });
  return order;
}

void expectOrder(const backend::SortPairs& got, const std::vector<u32>& keys, const std::vector<int>& order,
                 const std::string& what) {
  ASSERT_EQ(test::toVector(got.values), order) << what;
  const std::vector<u32> gotKeys = test::toVector(got.keys);
  ASSERT_EQ(gotKeys.size(), keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) ASSERT_EQ(gotKeys[k], keys[order[k]]) << what << ", place " << k;
}

// Radix and library sort alike, by any bits.
template <class Sort>
class BackendPairSort : public testing::Test {
protected:
  void expectSorted(const std::vector<u32>& keys, int bits, int firstBit = 0) {
    std::vector<int> identity(keys.size());
    std::iota(identity.begin(), identity.end(), 0);
    const auto got = sort_.sort({test::onDevice(keys), test::onDevice(identity)},
                                {DeviceArray<u32>("other keys", keys.size()), DeviceArray<int>("other", keys.size())},
                                bits, firstBit);
    expectOrder(got, keys, stableOrder(keys, bits, firstBit),
                std::to_string(keys.size()) + " keys, bits " + std::to_string(firstBit) + " to " +
                    std::to_string(bits));
  }
  Sort sort_;
};

std::vector<u32> randomKeys(std::size_t n, int bits, u64 seed) {
  test::Uniform uniform(seed);
  std::vector<u32> keys(n);
  for (u32& key : keys) key = lowest(static_cast<u32>(uniform.word()), bits);
  return keys;
}

using PairSorts = testing::Types<backend::RadixSort, backend::LibrarySort>;
TYPED_TEST_SUITE(BackendPairSort, PairSorts);

TYPED_TEST(BackendPairSort, AgreesWithStableSort) {
  for (const std::size_t n : {0, 1, 2, 3, 255, 1000, 100003})
    for (const int bits : {1, 6, 8, 9, 16, 17, 24, 31, 32}) this->expectSorted(randomKeys(n, bits, n + bits), bits);
}

TYPED_TEST(BackendPairSort, OneSorterForManySizes) {
  for (const std::size_t n : {1000, 10, 5000, 1, 0, 999, 5000}) this->expectSorted(randomKeys(n, 20, n), 20);
}

TYPED_TEST(BackendPairSort, FewDistinctKeys) {
  this->expectSorted(std::vector<u32>(10000, 77u), 12);
  std::vector<u32> keys = randomKeys(10000, 2, 5);
  for (u32& key : keys) key <<= 10;
  this->expectSorted(keys, 12);
  std::vector<u32> falling(5000);
  for (u32 k = 0; k < 5000; ++k) falling[k] = 5000 - k;
  this->expectSorted(falling, 13);
}

TYPED_TEST(BackendPairSort, OtherBitsDoNotCount) {
  this->expectSorted(randomKeys(5000, 20, 4), 20, 6);
  for (const int bits : {8, 10, 16, 21}) this->expectSorted(randomKeys(3000, 32, bits), bits);
}

// All styles, by cell. Keys are below cells << 6.
class BackendSort : public testing::TestWithParam<SortStyle> {
protected:
  static SortTask task(std::size_t n, int cells, int firstBit) {
    int bits = 6;
    while ((i64{cells} << 6) > (i64{1} << bits)) ++bits;
    return {static_cast<int>(n), cells, bits, firstBit};
  }
  // Twice: what the first leaves behind must not disturb the second.
  static void expectSorted(const std::vector<u32>& keys, int cells, const std::string& what) {
    for (const int firstBit : {6, 0}) {
      const SortTask t = task(keys.size(), cells, firstBit);
      backend::KeySorter sort(GetParam(), t);
      const std::vector<int> order = stableOrder(keys, t.bits, firstBit);
      const auto device = test::onDevice(keys);
      for (int k = 0; k < 2; ++k)
        expectOrder(sort(device), keys, order, what + ", from bit " + std::to_string(firstBit));
      if (GetParam() == SortStyle::counting) expectStarts(keys, cells, test::toVector(sort.cellStart()));
    }
  }
  static void expectStarts(const std::vector<u32>& keys, int cells, const std::vector<int>& start) {
    std::vector<int> expected(cells + 1, 0);
    for (const u32 key : keys) ++expected[(key >> 6) + 1];
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    ASSERT_EQ(start, expected);
  }
  static std::vector<u32> keysBelow(std::size_t n, u32 below, u64 seed) {
    test::Uniform uniform(seed);
    std::vector<u32> keys(n);
    for (u32& key : keys) key = static_cast<u32>(uniform.word() % below);
    return keys;
  }
  // Sorted by cell, then one in twenty moves to a cell nearby: what a rebuild finds.
  static std::vector<u32> nearlySorted(std::size_t n, int cells, u64 seed) {
    std::vector<u32> keys = keysBelow(n, static_cast<u32>(cells) << 6, seed);
    std::sort(keys.begin(), keys.end());
    test::Uniform uniform(seed + 1);
    for (u32& key : keys) {
      const int cell = static_cast<int>(key >> 6) + (uniform() < 0.05 ? static_cast<int>(uniform.word() % 41) - 20 : 0);
      key = static_cast<u32>(std::clamp(cell, 0, cells - 1)) << 6 | static_cast<u32>(uniform.word() % 64);
    }
    return keys;
  }
};

TEST_P(BackendSort, FewParticles) {
  expectSorted({}, 27, "none");
  expectSorted({26u << 6 | 5u}, 27, "one");
  expectSorted({63u}, 1, "one in one cell");
  expectSorted({130u, 3u, 129u, 2u}, 8, "four");
}

TEST_P(BackendSort, AllInOneCell) {
  std::vector<u32> keys = keysBelow(3000, 64, 1);
  for (u32& key : keys) key |= 77u << 6;
  expectSorted(keys, 100, "random sub-cells");
  expectSorted(std::vector<u32>(2000, 7u << 6 | 9u), 8, "one sub-cell");
}

TEST_P(BackendSort, RandomKeys) {
  for (const int cells : {8, 125, 1000, 15000, 16383, 16384, 40000}) {
    expectSorted(keysBelow(20011, static_cast<u32>(cells) << 6, cells), cells, std::to_string(cells) + " cells");
  }
}

TEST_P(BackendSort, NearlySortedKeys) {
  for (const int cells : {500, 8000})
    expectSorted(nearlySorted(50021, cells, cells), cells, std::to_string(cells) + " cells");
}

TEST_P(BackendSort, ManyCellsWithGaps) {
  std::vector<u32> keys = keysBelow(3000, 40u << 6, 3);
  for (u32& key : keys) key = (key >> 6) * 2500u << 6 | (key & 63u);  // cells 0, 2500, 5000 ...
  expectSorted(keys, 100000, "gaps");
}

TEST_P(BackendSort, AMillion) {
  const int cells = 150000;
  expectSorted(nearlySorted(1000003, cells, 5), cells, "moved");
  expectSorted(keysBelow(1000003, static_cast<u32>(cells) << 6, 6), cells, "random");
}

TEST_P(BackendSort, OneSorterForManyTasks) {
  backend::Sorter sorter(GetParam());
  for (const auto& [n, cells, firstBit] :
       {std::array{1000, 100, 6}, {10, 300, 6}, {50000, 100, 0}, {0, 8, 6}, {900, 8, 0}}) {
    const std::vector<u32> keys = keysBelow(n, static_cast<u32>(cells) << 6, n);
    const SortTask t = task(keys.size(), cells, firstBit);
    const backend::SortPairs a{DeviceArray<u32>("a", n), DeviceArray<int>("a", n)},
        b{DeviceArray<u32>("b", n), DeviceArray<int>("b", n)},
        result{DeviceArray<u32>("r", n), DeviceArray<int>("r", n)};
    const DeviceArray<int> start("start", cells + 1);
    Kokkos::parallel_for("feed keys", Range(0, n), backend::FeedKeys{test::onDevice(keys), sorter.begin(t, a, b)});
    Kokkos::parallel_for("write order", Range(0, n), backend::WriteOrder{sorter.finish(start), result});
    expectOrder(result, keys, stableOrder(keys, t.bits, firstBit), std::to_string(n) + " keys");
  }
}

TEST_P(BackendSort, AllocatesOnlyAtFirst) {
  for (const int firstBit : {6, 0}) {
    const int cells = 300;
    backend::KeySorter sort(GetParam(), task(20000, cells, firstBit));
    const auto keys = test::onDevice(keysBelow(20000, static_cast<u32>(cells) << 6, 7));
    sort(keys);
    test::Listening listening;
    for (int k = 0; k < 3; ++k) sort(keys);
    for (const auto& name : test::heard.allocations) {
      if (GetParam() == SortStyle::radix && name == "Kokkos::CudaSpace::TeamScratchMemory")
        continue;  // Kokkos' own, each time
      ADD_FAILURE() << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllStyles, BackendSort, testing::ValuesIn(everySortStyle),
                         [](const auto& of) { return nameOf(of.param); });

TEST(BackendSortTask, BucketsHoldFew) {
  EXPECT_EQ((SortTask{7000, 1000, 16, 6}.bucketShift()), 6);
  EXPECT_EQ((SortTask{100000, 1000, 16, 6}.bucketShift()), 6);  // sub-cells do not count
  EXPECT_EQ((SortTask{16000, 1000, 16, 0}.bucketShift()), 5);
  EXPECT_EQ((SortTask{300000, 1000, 16, 0}.bucketShift()), 0);
  EXPECT_EQ((SortTask{3000000, 1000, 16, 0}.bucketShift()), 0);
}

}  // namespace
}  // namespace mesowarp
