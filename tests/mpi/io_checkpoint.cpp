// A checkpoint of n ranks has the bytes of one rank's, and any number of ranks reads it.
#include "tests/mpi/io_checkpoint.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace mesowarp::io {
namespace {

using test::Sample;
using test::sampleOf;
using test::SharedDirectory;
using test::write;
namespace fs = std::filesystem;

template <class T>
void expectRows(const CheckpointContent& content, const std::string& name, const std::vector<T>& all, std::size_t first,
                std::size_t last) {
  const Array& array = content.arrays.at(name);
  EXPECT_EQ(array.spread, Spread::distributed) << name;
  EXPECT_EQ(array.totalRows, all.size() / array.width) << name;
  EXPECT_EQ(array.firstRow, first) << name;
  ASSERT_EQ(array.rows, last - first) << name;
  ASSERT_EQ(array.data.size(), array.rows * array.width * sizeof(T)) << name;
  if (array.rows > 0) {
    EXPECT_EQ(std::memcmp(array.data.data(), all.data() + first * array.width, array.data.size()), 0) << name;
  }
}

void expectWhole(const CheckpointContent& content, const Sample& all) {
  const Array& counters = content.arrays.at("counters");
  EXPECT_EQ(counters.spread, Spread::whole);
  ASSERT_EQ(counters.rows, 3U);
  EXPECT_EQ(counters.totalRows, 3U);
  EXPECT_EQ(std::memcmp(counters.data.data(), all.counters.data(), 24), 0);
  EXPECT_EQ(content.texts.at("deck"), std::string("[run]\n\0", 7));
  EXPECT_EQ(content.texts.at("none"), "");
  EXPECT_EQ(content.arrays.at("none").totalRows, 0U);
  EXPECT_EQ(content.arrays.at("none").width, 2U);
}

TEST(MpiCheckpoint, HasTheBytesOfOneRank) {
  const comm::Communicator ranks;
  for (const std::size_t rows : {std::size_t{3}, std::size_t{200000}}) {
    const SharedDirectory many(ranks), one(ranks);
    const Sample all = sampleOf(ranks, rows);
    const std::string path = write(many.path(), 5, all, ranks, false, ranks.size());
    EXPECT_EQ(path, many / "checkpoint-5.h5");
    if (ranks.root()) {
      EXPECT_TRUE(test::readFile(path) == test::readFile(write(one.path(), 5, all, ranks, true, ranks.size())));
      EXPECT_EQ(std::distance(fs::directory_iterator(many.path()), fs::directory_iterator()), 1);
    }
  }
}

TEST(MpiCheckpoint, EveryRankGetsTheRowsItStored) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  const Sample all = sampleOf(ranks, 200000);
  const CheckpointContent content = readCheckpoint(write(directory.path(), 5, all, ranks, false, ranks.size()), &ranks);
  const auto first = test::unequalFirst(ranks, ranks.rank(), 200000),
             last = test::unequalFirst(ranks, ranks.rank() + 1, 200000);
  expectRows(content, "position", all.position, first, last);
  expectRows(content, "water/tag", all.tag, first, last);
  const auto size = static_cast<std::size_t>(ranks.size()), rank = static_cast<std::size_t>(ranks.rank());
  expectRows(content, "few", all.few, 7 * rank / size, 7 * (rank + 1) / size);  // of another length
  expectWhole(content, all);
}

// Of another population with as many rows "rank_rows" says nothing; its own does.
TEST(MpiCheckpoint, EachPopulationHasItsOwnRowsOfRanks) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  const Sample all = sampleOf(ranks, 2000);
  auto views = test::viewsOf(all, ranks, false);
  std::vector<std::int64_t> lastHasAll(static_cast<std::size_t>(ranks.size()), 0);
  lastHasAll.back() = 2000;
  const bool last = ranks.rank() + 1 == ranks.size();
  const ArrayView tags{"", ElementType::u32, last ? 2000UL : 0UL, 1, all.tag.data(), Spread::distributed};
  for (const char* name : {"stars.tag", "stones.tag"}) views.push_back(tags), views.back().name = name;
  views.push_back({"stars.rank_rows", ElementType::i64, lastHasAll.size(), 1, lastHasAll.data()});
  const std::string path = writeCheckpoint(directory.path(), 5, views, {}, {{"ranks", ranks.size()}}, &ranks);
  const CheckpointContent content = readCheckpoint(path, &ranks);
  const auto size = static_cast<std::size_t>(ranks.size()), rank = static_cast<std::size_t>(ranks.rank());
  expectRows(content, "stones.tag", all.tag, 2000 * rank / size, 2000 * (rank + 1) / size);
  expectRows(content, "stars.tag", all.tag, 0, last ? 2000 : 0);
  expectRows(content, "water/tag", all.tag, test::unequalFirst(ranks, ranks.rank(), 2000),
             test::unequalFirst(ranks, ranks.rank() + 1, 2000));
}

TEST(MpiCheckpoint, AnotherNumberOfRanksGetsEqualShares) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  Sample all = sampleOf(ranks, 200001);
  all.rankRows.push_back(0);
  const std::string path = write(directory.path(), 5, all, ranks, false, ranks.size() + 1);
  const CheckpointContent shared = readCheckpoint(path, &ranks);
  const auto size = static_cast<std::size_t>(ranks.size()), rank = static_cast<std::size_t>(ranks.rank());
  expectRows(shared, "position", all.position, 200001 * rank / size, 200001 * (rank + 1) / size);
  expectWhole(shared, all);
  const comm::Communicator self(MPI_COMM_SELF);  // each for itself
  for (const auto& alone : {readCheckpoint(path), readCheckpoint(path, &self)}) {
    expectRows(alone, "position", all.position, 0, 200001);
    expectRows(alone, "water/tag", all.tag, 0, 200001);
    expectWhole(alone, all);
  }
}

TEST(MpiCheckpoint, OneRanksCheckpointIsReadByMany) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  Sample all(1000);
  all.rankRows = {1000};
  ranks.onRoot([&] { write(directory.path(), 5, all, ranks, true, 1); });
  const CheckpointContent content = readCheckpoint(directory / "checkpoint-5.h5", &ranks);
  const auto size = static_cast<std::size_t>(ranks.size()), rank = static_cast<std::size_t>(ranks.rank());
  expectRows(content, "position", all.position, 1000 * rank / size, 1000 * (rank + 1) / size);
}

}  // namespace
}  // namespace mesowarp::io
