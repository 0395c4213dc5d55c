// Rows in the order of their tags, wherever their particles lie.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "comm/tag_blocks.hpp"
#include "core/error.hpp"
#include "tests/mpi/io_support.hpp"

namespace mesowarp::io {
namespace {

using test::messageOf;

// Every tag at the rank and place that a shuffle gives it; the last rank has none.
std::vector<std::uint32_t> shuffledTags(const comm::Communicator& ranks, std::uint32_t total) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> own;
  for (std::uint32_t tag = 0; tag < total; ++tag) {
    const auto rank = static_cast<int>(random() % static_cast<unsigned>(std::max(1, ranks.size() - 1)));
    if (rank == ranks.rank()) own.push_back(tag);
  }
  std::shuffle(own.begin(), own.end(), random);
  return own;
}

TEST(MpiTagBlocks, GatherInTheOrderOfTags) {
  const comm::Communicator ranks;
  struct Row {
    std::uint32_t tag;
    char more[7];
  };
  for (const std::uint32_t total : {0U, 1U, 5U, 10007U}) {
    const auto tags = shuffledTags(ranks, total);
    const comm::TagBlocks blocks(ranks, total, tags.data(), static_cast<std::int64_t>(tags.size()));
    EXPECT_EQ(blocks.first(), std::int64_t{total} * ranks.rank() / ranks.size());
    EXPECT_EQ(ranks.sum(blocks.count()), total);
    std::vector<Row> rows, block(static_cast<std::size_t>(blocks.count()));
    for (const auto tag : tags)
      rows.push_back({tag, {static_cast<char>(tag), 0, 0, 0, 0, 0, static_cast<char>(tag >> 8)}});
    for (int twice = 0; twice < 2; ++twice) blocks.gather(rows.data(), sizeof(Row), block.data());
    bool right = true;
    for (std::size_t k = 0; k < block.size(); ++k) {
      const auto tag = static_cast<std::uint32_t>(blocks.first()) + static_cast<std::uint32_t>(k);
      right = right && block[k].tag == tag && block[k].more[0] == static_cast<char>(tag) &&
              block[k].more[6] == static_cast<char>(tag >> 8);
    }
    EXPECT_TRUE(right) << total;
  }
}

TEST(MpiTagBlocks, OfWholeUnits) {
  const comm::Communicator ranks;
  for (const std::uint32_t total : {0U, 1U, 64U, 65U, 1000U}) {
    const auto tags = shuffledTags(ranks, total);
    const comm::TagBlocks blocks(ranks, total, tags.data(), static_cast<std::int64_t>(tags.size()), 64);
    EXPECT_TRUE(blocks.first() % 64 == 0 || blocks.first() == total) << total;
    EXPECT_EQ(ranks.sum(blocks.count()), total);
    std::vector<std::uint32_t> block(static_cast<std::size_t>(blocks.count()));
    blocks.gather(tags.data(), sizeof(std::uint32_t), block.data());
    for (std::size_t k = 0; k < block.size(); ++k) ASSERT_EQ(block[k], blocks.first() + static_cast<std::int64_t>(k));
  }
}

TEST(MpiTagBlocks, RefuseTagsThatAreNotEachOnce) {
  const comm::Communicator ranks;
  const auto attempt = [&](std::vector<std::uint32_t> tags, std::int64_t total) {
    return messageOf<RunError>(
        [&] { comm::TagBlocks(ranks, total, tags.data(), static_cast<std::int64_t>(tags.size())); });
  };
  auto tags = shuffledTags(ranks, 100);
  EXPECT_EQ(attempt(tags, 100), "");
  EXPECT_THAT(attempt(tags, 101), testing::HasSubstr("each once"));
  auto twice = tags;  // in one block, which gets as many rows as it should
  std::replace(twice.begin(), twice.end(), 0U, 1U);
  EXPECT_THAT(attempt(twice, 100), testing::HasSubstr("each once"));
  if (ranks.root()) {
    EXPECT_GT(tags.size(), 2U);
    std::swap(*std::min_element(tags.begin(), tags.end()), tags[0]);
  }
  const std::uint32_t kept = tags.empty() ? 0 : tags[0];
  for (const std::uint32_t wrong : {100U, 4294967295U, ranks.root() ? tags[1] : kept}) {
    if (ranks.root()) tags[0] = wrong;
    EXPECT_THAT(attempt(tags, 100), testing::HasSubstr("each once")) << wrong;
  }
}

}  // namespace
}  // namespace mesowarp::io
