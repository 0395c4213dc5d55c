// A trajectory that several ranks write holds what one rank writes.
#include <algorithm>
#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/files/earlier_output.hpp"
#include "io/h5md/h5md.hpp"
#include "io/h5md/h5md_reader.hpp"
#include "io/h5md/xdmf.hpp"
#include "tests/mpi/io_support.hpp"

namespace mesowarp::io {
namespace {

using enum TrajectoryField;
using test::contentOf;
using test::messageOf;
using test::partOf;
using test::SharedDirectory;
using testing::HasSubstr;

const std::vector<TrajectoryField> allFields{position, image, velocity, force, species, mass, id};
const H5mdMetadata metadata{"0.1", "tester", "[run]\nsteps = 150\n", {"water", "oil"}};

Snapshot ownPart(const comm::Communicator& ranks, const Snapshot& all) {
  const std::size_t n = all.position.size() / 3;
  return partOf(all, test::unequalFirst(ranks, ranks.rank(), n), test::unequalFirst(ranks, ranks.rank() + 1, n));
}

void expectSameContent(const std::string& a, const std::string& b) {
  const auto left = contentOf(a), right = contentOf(b);
  for (const auto& [path, content] : left) {
    ASSERT_TRUE(right.count(path)) << path;
    EXPECT_TRUE(right.at(path) == content) << path;
  }
  EXPECT_EQ(left.size(), right.size());
}

// n particles: 5 leave ranks without any, with 100,000 one frame takes several chunks, which ranks share.
void writeFrames(H5mdWriter& writer, const comm::Communicator* ranks, std::size_t n,
                 std::initializer_list<std::int64_t> steps) {
  for (const auto step : steps) {
    const Snapshot all = test::sampleSnapshot(n, step);
    writer.append(ranks ? ownPart(*ranks, all) : all);
  }
}

TEST(MpiTrajectory, HoldsWhatOneRankWrites) {
  const comm::Communicator ranks;
  for (const std::size_t n : {std::size_t{5}, std::size_t{100000}}) {
    const auto precision = n == 5 ? StoredPrecision::double_ : StoredPrecision::single;
    const SharedDirectory directory(ranks);
    {
      H5mdWriter writer(directory / "many.h5", metadata, allFields, precision, &ranks);
      writeFrames(writer, &ranks, n, {0, 10, 20});
      writer.flush();
      EXPECT_EQ(writer.lastStep(), 20);
      EXPECT_EQ(writer.particles(), n);
    }
    if (!ranks.root()) continue;
    {
      H5mdWriter writer(directory / "one.h5", metadata, allFields, precision);
      writeFrames(writer, nullptr, n, {0, 10, 20});
    }
    expectSameContent(directory / "many.h5", directory / "one.h5");
    EXPECT_EQ(H5mdReader(directory / "many.h5").read(2).bonds.size(), n / 2 * 2);
  }
}

TEST(MpiTrajectory, ResumeDropsLaterFrames) {
  const comm::Communicator ranks;
  const comm::Communicator self(MPI_COMM_SELF);
  for (const std::size_t n : {std::size_t{5}, std::size_t{50000}}) {
    const SharedDirectory directory(ranks);
    {
      H5mdWriter writer(directory / "t.h5", metadata, {velocity, id}, StoredPrecision::single, &ranks);
      writeFrames(writer, &ranks, n, {0, 10, 20, 30});
    }
    {
      H5mdWriter writer = H5mdWriter::resume(directory / "t.h5", 15, &ranks);
      EXPECT_EQ(writer.lastStep(), 10);
      EXPECT_EQ(writer.particles(), n);
      EXPECT_TRUE(writer.has(velocity));
      EXPECT_FALSE(writer.has(force));
      writeFrames(writer, &ranks, n, {16});
      XdmfWriter xdmf(directory / "t.xmf");
      ranks.onRoot([&] { xdmf.update(writer); });
    }
    if (!ranks.root()) continue;
    {
      H5mdWriter writer(directory / "one.h5", metadata, {velocity, id}, StoredPrecision::single, &self);
      writeFrames(writer, nullptr, n, {0, 10, 16});
    }
    expectSameContent(directory / "t.h5", directory / "one.h5");
    EXPECT_THAT(test::readFile(directory / "t.xmf"), HasSubstr("step 16"));
    // One rank goes on with the file of many.
    H5mdWriter writer = H5mdWriter::resume(directory / "t.h5", 10);
    EXPECT_EQ(writer.lastStep(), 10);
  }
}

// Whoever begins a trajectory, others can go on with it: one process, several, one again, several again.
TEST(MpiTrajectory, OneAndSeveralTakeTurns) {
  const comm::Communicator ranks;
  const auto alone = [&](const std::function<void()>& task) { ranks.onRoot(task), ranks.barrier(); };
  for (const std::size_t n : {std::size_t{5}, std::size_t{700}, std::size_t{100000}}) {
    const auto precision = n == 700 ? StoredPrecision::double_ : StoredPrecision::single;
    const SharedDirectory directory(ranks);
    const std::string path = directory / "t.h5";
    alone([&] {
      H5mdWriter writer(path, metadata, allFields, precision);
      writeFrames(writer, nullptr, n, {0, 10, 20});
    });
    const auto together = [&](std::int64_t last, std::initializer_list<std::int64_t> steps) {
      H5mdWriter writer = H5mdWriter::resume(path, last, &ranks);
      writeFrames(writer, &ranks, n, steps);
      writer.flush();
    };
    together(15, {16, 17, 18});
    alone([&] {
      H5mdWriter writer = H5mdWriter::resume(path, 17);
      writeFrames(writer, nullptr, n, {30, 31});
    });
    together(30, {32, 33});
    if (!ranks.root()) continue;
    H5mdWriter writer(directory / "one.h5", metadata, allFields, precision);
    writeFrames(writer, nullptr, n, {0, 10, 16, 17, 30, 32, 33});
    writer.flush();
    expectSameContent(path, directory / "one.h5");
  }
}

// n = 5 and 700: new frames share chunks with those before the mark, so ranks overwrite what the root must save.
TEST(MpiTrajectory, RollsBackToTheBytesOfEitherMark) {
  const comm::Communicator ranks;
  for (const std::size_t n : {std::size_t{5}, std::size_t{700}, std::size_t{100000}}) {
    const SharedDirectory directory(ranks);
    const std::string path = directory / "t.h5";
    std::array<FileMark, 2> marks;
    std::array<std::string, 2> bytes;
    {
      H5mdWriter writer(path, metadata, allFields, StoredPrecision::single, &ranks);
      for (const std::size_t k : {0, 1}) {
        const auto step = static_cast<std::int64_t>(10 * k);
        writeFrames(writer, &ranks, n, {step, step + 5});
        marks[k] = writer.mark(step + 5);
        ranks.onRoot([&] { bytes[k] = test::readFile(path); });
      }
      writeFrames(writer, &ranks, n, {20, 25, 30});
    }
    for (const std::size_t k : {1, 0}) {
      const auto step = static_cast<std::int64_t>(10 * k + 5);
      UndoBase base;
      ranks.onRoot([&] {
        const EarlierOutput earlier(path, step, &marks[k], EarlierOutput::Growth::overwritten);
        ASSERT_EQ(earlier.state(), EarlierOutput::State::exact);
        earlier.rollBack();
        EXPECT_TRUE(test::readFile(path) == bytes[k]) << n << " particles, step " << step;
        base = earlier.base();
      });
      H5mdWriter writer = H5mdWriter::resume(path, step, &ranks, base);
      EXPECT_EQ(writer.lastStep(), step);
      writeFrames(writer, &ranks, n, {step + 1, step + 2});
    }
    if (!ranks.root()) continue;
    {
      H5mdWriter writer(directory / "one.h5", metadata, allFields, StoredPrecision::single);
      writeFrames(writer, nullptr, n, {0, 5, 6, 7});
    }
    expectSameContent(path, directory / "one.h5");
  }
}

TEST(MpiTrajectory, ResumesBeforeTheFirstFrame) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  { const H5mdWriter writer(directory / "t.h5", metadata, {id}, StoredPrecision::single, &ranks); }
  {
    H5mdWriter writer = H5mdWriter::resume(directory / "t.h5", 0, &ranks);
    EXPECT_EQ(writer.frames(), 0U);
    writeFrames(writer, &ranks, 9, {3});
  }
  if (ranks.root()) {
    EXPECT_EQ(H5mdReader(directory / "t.h5").read(0).tag.size(), 9U);
  }
}

TEST(MpiTrajectory, AnErrorOfOneRankIsOneOfAll) {
  const comm::Communicator ranks;
  const SharedDirectory directory(ranks);
  const auto missing = [&] { H5mdWriter(directory / "no/t.h5", metadata, {id}, StoredPrecision::single, &ranks); };
  EXPECT_THAT(messageOf<RunError>(missing), HasSubstr("No such file"));
  EXPECT_THAT(messageOf<InputError>([&] { H5mdWriter::resume(directory / "t.h5", 0, &ranks); }),
              HasSubstr("does not exist"));

  H5mdWriter writer(directory / "t.h5", metadata, {velocity}, StoredPrecision::single, &ranks);
  const Snapshot all = test::sampleSnapshot(100, 5);
  const bool isLast = ranks.rank() == ranks.size() - 1;
  Snapshot part = ownPart(ranks, all);
  if (isLast) part.velocity.pop_back();
  EXPECT_THAT(messageOf<RunError>([&] { writer.append(part); }), HasSubstr("numbers of velocity"));
  part = ownPart(ranks, all);
  if (isLast) part.first += 1;
  EXPECT_THAT(messageOf<RunError>([&] { writer.append(part); }), HasSubstr("belong"));
  EXPECT_EQ(writer.frames(), 0U);
  writer.append(ownPart(ranks, all));
  EXPECT_THAT(messageOf<RunError>([&] { writer.append(ownPart(ranks, test::sampleSnapshot(99, 6))); }), HasSubstr("9"));
  if (ranks.size() > 1) {
    part = ownPart(ranks, test::sampleSnapshot(100, isLast ? 8 : 7));
    EXPECT_THAT(messageOf<RunError>([&] { writer.append(part); }), HasSubstr("at once"));
  }
  writer.append(ownPart(ranks, test::sampleSnapshot(100, 9)));
  EXPECT_EQ(writer.lastStep(), 9);
}

// The root reserves room for all; what fails although it could is one rank's.
TEST(MpiTrajectory, AFullDiskLeavesTheFramesBefore) {
  const comm::Communicator ranks;
  constexpr std::size_t n = 100000;
  for (int limited = 0; limited < std::min(ranks.size(), 3); ++limited) {
    const SharedDirectory directory(ranks);
    std::string message;
    {
      H5mdWriter writer(directory / "t.h5", metadata, {velocity}, StoredPrecision::single, &ranks);
      writeFrames(writer, &ranks, n, {0, 10});
      std::optional<test::FileSizeLimit> limit;
      if (ranks.rank() == limited) limit.emplace(std::filesystem::file_size(directory / "t.h5") + 1000000);
      message = messageOf<RunError>([&] { writeFrames(writer, &ranks, n, {20}); });
      EXPECT_EQ(ranks.fromRank(0, message), message);
      if (limited == 0) {
        EXPECT_THAT(message, HasSubstr("File too large"));
      }
    }
    H5mdWriter writer = H5mdWriter::resume(directory / "t.h5", 100, &ranks);
    EXPECT_EQ(writer.lastStep(), message.empty() ? 20 : 10);
    writeFrames(writer, &ranks, n, {30});
  }
}

}  // namespace
}  // namespace mesowarp::io
