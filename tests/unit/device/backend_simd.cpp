// The vector operations of every instruction set that this build has, against their definitions.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "device/config.hpp"
#ifndef KOKKOS_ENABLE_CUDA

#include "kernels/pairs/pair_buffer_cpu.hpp"
#include "kernels/pairs/row_filter_cpu.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp::backend {
namespace {

template <class S>
class BackendSimd : public testing::Test {
protected:
  test::Uniform uniform{7};
  u32 word() { return static_cast<u32>(uniform() * 4294967296.0); }
  // W lanes of a vector as an array.
  template <class V>
  static std::vector<u32> lanes(V v) {
    std::vector<u32> result(S::width);
    S::store(result.data(), v);
    return result;
  }
  static u32 all() { return S::first(S::width); }
};

using InstructionSets = testing::Types<PortableSimd
#ifdef __AVX2__
                                       ,
                                       Avx2Simd
#endif
#ifdef __AVX512F__
                                       ,
                                       Avx512Simd
#endif
                                       >;
TYPED_TEST_SUITE(BackendSimd, InstructionSets);

TYPED_TEST(BackendSimd, FirstLanes) {
  using S = TypeParam;
  for (int count = 1; count < 3 * S::width; ++count)
    for (int lane = 0; lane < 32; ++lane)
      ASSERT_EQ(S::first(count) >> lane & 1, lane < count && lane < S::width ? 1u : 0u);
}

TYPED_TEST(BackendSimd, CompressStoreKeepsOrder) {
  using S = TypeParam;
  for (u32 mask = 0; mask <= this->all(); ++mask) {
    u32 packed[S::width];
    S::compressStore(packed, S::iota(100), mask);
    int n = 0;
    for (int lane = 0; lane < S::width; ++lane)
      if (mask >> lane & 1) {
        ASSERT_EQ(packed[n++], 100u + static_cast<u32>(lane));
      }
  }
}

TYPED_TEST(BackendSimd, LoadsRecordsTransposed) {
  using S = TypeParam;
  std::vector<u32> memory(8 * 100);
  for (u32& w : memory) w = this->word();
  int index[S::width];
  for (int& i : index) i = static_cast<int>(this->uniform() * 99);
  const auto expect = [&](const auto& records, int words, const auto& from) {
    for (int w = 0; w < 4; ++w)
      for (int lane = 0; lane < S::width; ++lane)
        EXPECT_EQ(this->lanes(records.word[w])[lane], memory[from[lane] * words + w]);
  };
  expect(S::template load4<12>(memory.data(), index), 3, index);
  expect(S::template load4<16>(memory.data(), index), 4, index);
  expect(S::template load4<32>(memory.data(), index), 8, index);
  expect(S::template load4<12>(memory.data(), Consecutive{5}), 3, Consecutive{5});
}

TYPED_TEST(BackendSimd, ComparesAndLooksUp) {
  using S = TypeParam;
  u32 a[S::width], b[S::width], table[16];
  float x[S::width], y[S::width];
  for (u32& t : table) t = this->word();
  for (int repeat = 0; repeat < 100; ++repeat) {
    for (int lane = 0; lane < S::width; ++lane) {
      a[lane] = this->word() % 16, b[lane] = this->word() % 2 ? a[lane] : this->word();
      x[lane] = static_cast<float>(this->uniform(-1, 1)),
      y[lane] = this->word() % 4 ? static_cast<float>(this->uniform(-1, 1)) : x[lane];
    }
    typename S::Floats vx, vy;
    std::memcpy(&vx, x, sizeof(vx)), std::memcpy(&vy, y, sizeof(vy));
    const u32 less = S::less(vx, vy), differ = S::differ(S::load(a), S::load(b));
    for (int lane = 0; lane < S::width; ++lane) {
      ASSERT_EQ(less >> lane & 1, x[lane] < y[lane] ? 1u : 0u);
      ASSERT_EQ(differ >> lane & 1, a[lane] != b[lane] ? 1u : 0u);
      ASSERT_EQ(this->lanes(S::lookup(table, S::load(a)))[lane], table[a[lane]]);
    }
  }
}

TYPED_TEST(BackendSimd, PermutesByBytes) {
  using S = TypeParam;
  u32 from[S::width];
  std::uint8_t index[S::width];
  for (int repeat = 0; repeat < 100; ++repeat) {
    for (int lane = 0; lane < S::width; ++lane)
      from[lane] = this->word(), index[lane] = static_cast<std::uint8_t>(this->word() % S::width);
    const auto permuted = this->lanes(S::permute(S::load(from), S::loadBytes(index)));
    for (int lane = 0; lane < S::width; ++lane) ASSERT_EQ(permuted[lane], from[index[lane]]);
  }
}

// Places of a block's particles, of which only the coordinates are asked for.
struct Owners {
  alignas(64) u32 x[blockSize], y[blockSize], z[blockSize];
};

// The same partners, whatever the instruction set, from rows of any lengths, empty ones among them, that lie one behind
// the other.
TYPED_TEST(BackendSimd, FiltersRowsAsScalarCodeDoes) {
  using S = TypeParam;
  constexpr int n = 300;
  std::vector<PairPosition<u32>> narrow(n);
  std::vector<PairPosition<u64>> wide(n);
  for (int i = 0; i < n; ++i) {
    narrow[i] = {this->word(), this->word(), this->word(), this->word()};
    wide[i] = {u64{narrow[i].x} << 32 | this->word(), u64{narrow[i].y} << 32, u64{narrow[i].z} << 32, 0};
  }
  Owners owners;
  for (int i = 0; i < blockSize; ++i) owners.x[i] = narrow[i].x, owners.y[i] = narrow[i].y, owners.z[i] = narrow[i].z;
  const float tick = 0x1p-32f;
  const RangeTest inRange{{tick, 2 * tick, tick}, 0.3f};
  const auto inReach = [&](int i, int j) {
    const auto length = [](u32 from, u32 to, float t) { return static_cast<float>(static_cast<i32>(from - to)) * t; };
    const float x = length(narrow[i].x, narrow[j].x, tick), y = length(narrow[i].y, narrow[j].y, 2 * tick),
                z = length(narrow[i].z, narrow[j].z, tick);
    return x * x + y * y + z * z < 0.3f;
  };
  constexpr int capacity = 768, already = 3;
  static CandidateRun<S, capacity> run;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const int group = static_cast<int>(this->word() % (blockSize / S::width)) * S::width;
    std::vector<int> table;
    std::vector<int> sizes(S::width);
    for (int& size : sizes) {
      size = this->word() % 4 ? static_cast<int>(this->word() % std::min(100, capacity / S::width)) : 0;
      for (int k = 0; k < size; ++k) table.push_back(static_cast<int>(this->word() % n));
    }
    const int count = static_cast<int>(table.size());
    table.resize(table.size() + 16, 0);
    std::vector<int> begin, expectedBegin, expected(already, -1);
    for (int w = 0, at = 0; w < S::width; at += sizes[w++]) {
      ASSERT_TRUE(run.empty() || run.takes(table.data() + at, sizes[w], group + w, capacity));
      begin.push_back(run.add(table.data() + at, sizes[w], group + w));
      expectedBegin.push_back(static_cast<int>(expected.size()));
      for (int k = at; k < at + sizes[w]; ++k)
        if (inReach(group + w, table[k])) expected.push_back(table[k]);
    }
    if (count > 0) {
      const int* end = table.data() + count;
      EXPECT_TRUE(run.takes(end, capacity - count, group, capacity));
      EXPECT_FALSE(run.takes(end, capacity - count + 1, group, capacity));  // no room
      EXPECT_FALSE(run.takes(end, 1, group + S::width, capacity));          // another particle's
      EXPECT_FALSE(run.takes(end + 1, 1, group, capacity));                 // elsewhere in the table
    }
    const auto check = [&](const auto* position) {
      std::vector<int> index(capacity + 32, -1);
      ASSERT_EQ(run.select(position, owners, inRange, index.data(), already), static_cast<int>(expected.size()));
      for (std::size_t k = 0; k < expected.size(); ++k) ASSERT_EQ(index[k], expected[k]);
      for (int w = 0; w < S::width; ++w) ASSERT_EQ(run.before(begin[w]), expectedBegin[w]);
    };
    check(narrow.data());
    check(wide.data());
    run.clear();
  }
}

}  // namespace
}  // namespace mesowarp::backend
#endif
