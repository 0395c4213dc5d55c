// A checkpoint that is damaged, or cannot be written, is refused or fails on all ranks alike.
#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint_header.hpp"
#include "tests/mpi/io_checkpoint.hpp"

namespace mesowarp::io {
namespace {

using test::messageOf;
using test::Sample;
using test::sampleOf;
using test::SharedDirectory;
using test::viewsOf;
using test::write;
using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

// An altered byte in any of ten places, each seen by the rank whose share it lies in.
TEST(MpiCheckpointFailures, AnAlteredByteIsRefusedByAll) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  const Sample all = sampleOf(ranks, 200000);
  const std::string older = write(directory.path(), 4, all, ranks, false, ranks.size());
  const std::string path = write(directory.path(), 5, all, ranks, false, ranks.size());
  const auto size = static_cast<std::streamoff>(fs::file_size(path));
  ranks.barrier();
  const auto flip = [&](std::streamoff at) {
    ranks.barrier();
    if (ranks.root()) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(at);
      const char byte = static_cast<char>(file.get() ^ 4);
      file.seekp(at);
      file.put(byte);
    }
    ranks.barrier();
  };
  for (int k = 0; k < 10; ++k) {
    const std::streamoff at = 600 + (size - 601) * k / 9;
    flip(at);
    EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(path, &ranks); }),
                AllOf(HasSubstr("altered"), HasSubstr("use --resume " + older)))
        << at;
    flip(at);
  }
  flip(30);
  EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(path, &ranks); }), HasSubstr("its header is damaged"));
  flip(30);
  EXPECT_EQ(messageOf<InputError>([&] { readCheckpoint(path, &ranks); }), "");
  ranks.barrier();
  if (ranks.root()) fs::resize_file(path, static_cast<std::uintmax_t>(size - 1));
  EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(path, &ranks); }), HasSubstr("truncated"));
  EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(directory / "checkpoint-9.h5", &ranks); }),
              HasSubstr("does not exist"));
}

TEST(MpiCheckpointFailures, FailureOfOneRankLeavesTheOlderOnes) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  const Sample all = sampleOf(ranks, 200000);
  const std::string older = write(directory.path(), 4, all, ranks, false, ranks.size());
  ranks.barrier();
  for (const rlim_t most : {0, 700, 100000, 5000000}) {  // the root's files
    std::optional<test::FileSizeLimit> limit;
    if (ranks.root()) limit.emplace(most);
    EXPECT_THAT(messageOf<RunError>([&] { write(directory.path(), 5, all, ranks, false, ranks.size()); }),
                AllOf(HasSubstr("File too large"), HasSubstr("before it are intact")))
        << most;
  }
  EXPECT_THAT(messageOf<RunError>([&] { write(directory / "no", 5, all, ranks, false, 1); }),
              HasSubstr("No such file"));
  if (ranks.size() > 1) {
    auto views = viewsOf(all, ranks, false);
    if (ranks.rank() == 1) std::swap(views[0], views[2]);
    EXPECT_THAT(messageOf<RunError>([&] { writeCheckpoint(directory.path(), 5, views, {}, {}, &ranks); }),
                HasSubstr("same arrays"));
  }
  if (ranks.root()) {
    EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), fs::directory_iterator()), 1);
  }
  EXPECT_EQ(readCheckpoint(older, &ranks).numbers.at("step"), 4);
  EXPECT_EQ(readCheckpoint(write(directory.path(), 5, all, ranks, false, 1), &ranks).numbers.at("step"), 5);
}

// Which rank's writes reach the disk is MPI-IO's choice; where it is the one with the limit, all must hear of it.
TEST(MpiCheckpointFailures, AFailingWriteOfAnyRankIsOneOfAll) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  const Sample all = sampleOf(ranks, 200000);
  const std::string older = write(directory.path(), 4, all, ranks, false, ranks.size());
  for (int limited = 1; limited < std::min(ranks.size(), 3); ++limited) {
    std::string message;
    {
      std::optional<test::FileSizeLimit> limit;
      if (ranks.rank() == limited) limit.emplace(4000000);
      message = messageOf<RunError>([&] { write(directory.path(), 5, all, ranks, false, ranks.size()); });
    }
    EXPECT_EQ(ranks.fromRank(0, message), message);
    EXPECT_EQ(message.empty(), std::filesystem::exists(directory / "checkpoint-5.h5"));
    const std::string newest = message.empty() ? directory / "checkpoint-5.h5" : older;
    EXPECT_EQ(readCheckpoint(newest, &ranks).numbers.at("step"), message.empty() ? 5 : 4);
    ranks.barrier();
    if (ranks.root()) fs::remove(directory / "checkpoint-5.h5");
    ranks.barrier();
  }
}

// All its arrays are whole: every rank would take all particles for its own.
TEST(MpiCheckpointFailures, SeveralRanksRefuseVersion1) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  const std::string path = write(directory.path(), 4, sampleOf(ranks, 20), ranks, false, ranks.size());
  ranks.onRoot([&] {
    const std::string payload = test::readFile(path).substr(checkpointHeaderSize);
    test::writeFile(path, formatHeader({1, payload.size(), XXH3_64bits(payload.data(), payload.size())}) + payload);
  });
  const std::string message = messageOf<InputError>([&] { readCheckpoint(path, &ranks); });
  EXPECT_EQ(message.empty(), ranks.size() == 1) << message;
  EXPECT_EQ(readCheckpoint(path).numbers.at("step"), 4);
}

TEST(MpiCheckpointFailures, TheLastTwoAreKept) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  const Sample all = sampleOf(ranks, 20);
  for (const std::int64_t step : {1, 2, 3}) write(directory.path(), step, all, ranks, false, ranks.size());
  if (ranks.root()) {
    EXPECT_FALSE(fs::exists(directory / "checkpoint-1.h5"));
  }
  if (ranks.root()) {
    EXPECT_TRUE(fs::exists(directory / "checkpoint-2.h5"));
  }
}

}  // namespace
}  // namespace mesowarp::io
