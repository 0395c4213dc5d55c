// Looking particles up by their tags: the array of one rank and the table of several say the same.
#include "state/tag_lookup.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp {
namespace {

DeviceArray<u32> onDevice(const std::vector<u32>& values) {
  DeviceArray<u32> array("tags", values.size());
  auto host = Kokkos::create_mirror_view(array);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
  Kokkos::deep_copy(array, host);
  return array;
}

struct LookUp {
  TagLookup lookup;
  DeviceArray<int> found;
  KOKKOS_INLINE_FUNCTION void operator()(int tag) const { found(tag) = lookup(static_cast<u32>(tag)); }
};
std::vector<int> allOf(const TagLookup& lookup, int tags) {
  DeviceArray<int> found("found", static_cast<std::size_t>(tags));
  Kokkos::parallel_for("look up tags", Range(0, tags), LookUp{lookup, found});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return {host.data(), host.data() + tags};
}

// A rank has every third tag, in any order, and some of its ghosts twice.
TEST(TagLookup, TheTableFindsWhatIsHere) {
  constexpr int all = 30000;
  std::vector<u32> tags;
  for (u32 tag = 0; tag < all; tag += 3) tags.push_back(tag);
  test::Uniform uniform(8);
  for (std::size_t k = tags.size(); k > 1; --k) std::swap(tags[k - 1], tags[uniform.word() % k]);
  const auto own = static_cast<int>(tags.size());
  for (int k = 0; k < 500; ++k) tags.push_back(tags[static_cast<std::size_t>(k)]);
  TagTable table(all, true);
  table.build(onDevice(tags), static_cast<int>(tags.size()), static_cast<int>(tags.size()));
  const auto found = allOf(table.lookup(), all);
  for (int tag = 0; tag < all; ++tag) {
    if (tag % 3 != 0) {
      ASSERT_EQ(found[tag], -1) << tag;
      continue;
    }
    ASSERT_GE(found[tag], 0);
    ASSERT_LT(found[tag], own) << "the first of two";
    ASSERT_EQ(tags[static_cast<std::size_t>(found[tag])], static_cast<u32>(tag));
  }
  EXPECT_LE(table.bytes(), 12 * tags.size() + 256);
  // Fewer particles later, in the same memory.
  const std::size_t before = table.bytes();
  table.build(onDevice(tags), 100, static_cast<int>(tags.size()));
  EXPECT_EQ(table.bytes(), before);
  const auto fewer = allOf(table.lookup(), all);
  EXPECT_EQ(std::count_if(fewer.begin(), fewer.end(), [](int index) { return index >= 0; }), 100);
}

// In a sheared box: a ghost that is no moved image is found before one that is, wherever they stand.
TEST(TagLookup, UnmovedImagesComeFirst) {
  const std::vector<u32> tags{5, 9, 7, 9, 5, 7, 8};  // two of this rank, then ghosts; the first two ghosts are moved
  MovedGhosts moved{{}, 2};
  const int ways[] = {0, 2, 5};
  for (int way = 0; way <= direction::count; ++way) moved.ways.first[way] = ways[way < 2 ? way : 2];
  moved.ways.image[0] = 1;
  TagTable table(10, true);
  table.build(onDevice(tags), 7, 7, moved);
  EXPECT_EQ(allOf(table.lookup(), 10), (std::vector<int>{-1, -1, -1, -1, -1, 0, -1, 5, 6, 1}));
  table.build(onDevice(tags), 4, 7, moved);  // only a moved one is here
  EXPECT_EQ(allOf(table.lookup(), 10)[7], 2);
}

TEST(TagLookup, TheArrayOfOneRank) {
  std::vector<u32> tags(1000);
  std::iota(tags.rbegin(), tags.rend(), 0U);
  TagTable table(1000, false);
  table.build(onDevice(tags), 1000, 1000);
  const auto found = allOf(table.lookup(), 1000);
  for (int tag = 0; tag < 1000; ++tag) ASSERT_EQ(found[tag], 999 - tag);
  EXPECT_EQ(table.bytes(), 4000U);
}

}  // namespace
}  // namespace mesowarp
