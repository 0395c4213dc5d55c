#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/error.hpp"
#include "core/images.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_files.hpp"
#include "io/files/file_system.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::io {
namespace {

namespace fs = std::filesystem;
using test::messageOf;
using test::readFile;
using test::TemporaryDirectory;
using test::writeFile;
using testing::AllOf;
using testing::HasSubstr;

const std::vector<double> positions{0.1, -0.0, 1e-310, 1.0 / 3.0, 5.0, 6.0};
const std::vector<std::uint32_t> tags{0, 4294967295U};
const std::vector<std::uint8_t> flags{1, 255};

std::vector<ArrayView> sampleArrays() {
  return {{"water/position", ElementType::f64, 2, 3, positions.data()},
          {"water/tag", ElementType::u32, 2, 1, tags.data()},
          {"flags", ElementType::u8, 2, 1, flags.data()},
          {"empty", ElementType::i64, 0, 3, nullptr}};
}

std::string writeSample(const std::string& directory, std::int64_t step) {
  return writeCheckpoint(directory, step, sampleArrays(), {{"deck", "[run]\nsteps = 5\n"}, {"none", ""}},
                         {{"step", step}, {"lowest", INT64_MIN}});
}

std::vector<std::string> namesIn(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(IoCheckpoint, KeepsEveryBit) {
  const TemporaryDirectory directory;
  const std::string path = writeSample(directory.path(), 5);
  EXPECT_EQ(path, directory / "checkpoint-5.h5");
  const CheckpointContent content = readCheckpoint(path);
  ASSERT_EQ(content.arrays.size(), 4U);
  const Array& position = content.arrays.at("water/position");
  EXPECT_EQ(position.type, ElementType::f64);
  EXPECT_EQ(position.rows, 2U);
  EXPECT_EQ(position.width, 3U);
  EXPECT_EQ(std::memcmp(position.data.data(), positions.data(), 48), 0);
  EXPECT_EQ(std::memcmp(content.arrays.at("water/tag").data.data(), tags.data(), 8), 0);
  EXPECT_EQ(content.arrays.at("flags").type, ElementType::u8);
  EXPECT_EQ(content.arrays.at("empty").rows, 0U);
  EXPECT_EQ(content.arrays.at("empty").width, 3U);
  EXPECT_EQ(content.texts.at("deck"), "[run]\nsteps = 5\n");
  EXPECT_EQ(content.texts.at("none"), "");
  EXPECT_EQ(content.numbers.at("lowest"), INT64_MIN);
}

// Checkpoints of before have images of 10 bits for each axis.
TEST(IoCheckpoint, WidensOlderImages) {
  const TemporaryDirectory directory;
  const std::vector<Vec3<i32>> images{{0, 0, 0}, {-512, 511, -1}, {3, -200, 500}};
  std::vector<std::uint32_t> older;
  for (const auto& image : images)
    older.push_back(static_cast<std::uint32_t>((image.x + 512) | (image.y + 512) << 10 | (image.z + 512) << 20));
  std::vector<u64> present{packImage({farthestImage - 1, -farthestImage, 700})};
  std::int64_t step = 0;
  const auto stored = [&](const std::string& name, std::size_t rows, std::size_t width, const void* data) {
    const std::string path = writeCheckpoint(directory.path(), ++step,
                                             {{name, ElementType::u8, rows, width, data, Spread::distributed}}, {}, {});
    return readCheckpoint(path).arrays.at(name);
  };
  const auto wordOf = [](const Array& array, std::size_t row) {
    u64 word;
    std::memcpy(&word, &array.data.at(row * sizeof(word)), sizeof(word));
    return word;
  };
  const Array wide = stored("image", older.size(), 4, older.data());
  ASSERT_EQ(wide.width, 8U);
  ASSERT_EQ(wide.data.size(), 8 * images.size());
  for (std::size_t k = 0; k < images.size(); ++k) EXPECT_EQ(wordOf(wide, k), packImage(images[k])) << k;
  EXPECT_EQ(wordOf(stored("image", 1, 8, present.data()), 0), present[0]);
  EXPECT_EQ(stored("tag", older.size(), 4, older.data()).width, 4U);
}

TEST(IoCheckpoint, SameContentGivesSameBytes) {
  const TemporaryDirectory a, b;
  EXPECT_EQ(readFile(writeSample(a.path(), 5)), readFile(writeSample(b.path(), 5)));
}

TEST(IoCheckpoint, KeepsTheNewestTwoAndClearsTemporaries) {
  const TemporaryDirectory directory;
  writeFile(directory / ".checkpoint-1.h5.tmp", "left by a run that was killed");
  for (const std::int64_t step : {9, 10, 100}) writeSample(directory.path(), step);
  EXPECT_THAT(namesIn(directory.path()), testing::ElementsAre("checkpoint-10.h5", "checkpoint-100.h5"));
  EXPECT_EQ(newestCheckpoint(directory.path()), directory / "checkpoint-100.h5");
  EXPECT_EQ(newestCheckpoint(directory / "nowhere"), std::nullopt);
}

// Somebody moves the directory away and puts another run's in its place: nothing there is touched.
TEST(IoCheckpoint, WritesToTheDirectoryThatItHoldsAlone) {
  const TemporaryDirectory directory;
  const std::string own = directory / "out", moved = directory / "moved";
  fs::create_directory(own);
  const FileDescriptor held = openFile(own, O_RDONLY | O_DIRECTORY);
  const auto write = [&](std::int64_t step) {
    return writeCheckpoint(own, step, sampleArrays(), {}, {{"step", step}}, nullptr, held.get());
  };
  for (const std::int64_t step : {1, 2, 3}) write(step);
  EXPECT_THAT(namesIn(own), testing::ElementsAre("checkpoint-2.h5", "checkpoint-3.h5"));
  EXPECT_EQ(readCheckpoint(own + "/checkpoint-3.h5").numbers.at("step"), 3);
  fs::rename(own, moved);
  fs::create_directory(own);
  for (const std::int64_t step : {1, 2}) writeSample(own, step);
  EXPECT_THAT(messageOf<RunError>([&] { write(4); }), AllOf(HasSubstr("step 4 not written"), HasSubstr("replaced")));
  EXPECT_THAT(namesIn(own), testing::ElementsAre("checkpoint-1.h5", "checkpoint-2.h5"));
  EXPECT_THAT(namesIn(moved), testing::ElementsAre("checkpoint-2.h5", "checkpoint-3.h5"));
  renameDurablyWithin(held.get(), "checkpoint-3.h5", "checkpoint-5.h5");  // what the end of a write does
  EXPECT_THAT(namesIn(moved), testing::ElementsAre("checkpoint-2.h5", "checkpoint-5.h5"));
}

TEST(IoCheckpoint, NeverDeletesWhatItWroteNorLaterOnes) {
  const TemporaryDirectory directory;
  for (const std::int64_t step : {200, 300, 100, 150}) writeSample(directory.path(), step);
  EXPECT_TRUE(fs::exists(directory / "checkpoint-150.h5"));
  EXPECT_TRUE(fs::exists(directory / "checkpoint-300.h5"));
  EXPECT_EQ(setAsideLaterCheckpoints(directory.path(), 150).size(), 2U);
  EXPECT_EQ(newestCheckpoint(directory.path()), directory / "checkpoint-150.h5");
  EXPECT_TRUE(fs::exists(directory / "stale-checkpoint-300.h5"));
}

TEST(IoCheckpoint, TellsWhatIsWrongAndOffersAnOlderOne) {
  const TemporaryDirectory directory;
  const std::string older = writeSample(directory.path(), 5), path = writeSample(directory.path(), 10);
  const std::string intact = readFile(path);
  const auto messageWith = [&](const std::string& content) {
    writeFile(path, content);
    return messageOf<InputError>([&] { readCheckpoint(path); });
  };
  const std::string offer = "use --resume " + older;
  EXPECT_THAT(messageWith(intact.substr(0, intact.size() - 1)), AllOf(HasSubstr("truncated"), HasSubstr(offer)));
  EXPECT_THAT(messageWith(intact.substr(0, 100)), AllOf(HasSubstr("truncated"), HasSubstr(offer)));
  EXPECT_THAT(messageWith(""), HasSubstr("truncated"));
  EXPECT_THAT(messageWith("# my notes" + std::string(1000, '\n')), HasSubstr("not a mesowarp checkpoint"));
  std::string altered = intact;
  altered[altered.size() / 2] ^= 4;
  EXPECT_THAT(messageWith(altered), AllOf(HasSubstr("altered"), HasSubstr(offer)));
  EXPECT_THAT(messageWith(intact + "x"), HasSubstr("altered"));
  std::string other = intact;
  other.replace(other.find("version 2"), 9, "version 3");
  EXPECT_THAT(messageWith(other), HasSubstr("format version 3; this mesowarp reads versions 1 to 2"));
  EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(directory / "checkpoint-7.h5"); }),
              AllOf(HasSubstr("does not exist"), HasSubstr(offer)));
  EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(directory.path()); }), HasSubstr("is a directory"));
  writeFile(older, "broken too");
  EXPECT_THAT(messageWith(altered), HasSubstr("no older intact checkpoint"));
  EXPECT_EQ(messageWith(intact), "");
}

// Version 1 had one hash of everything behind the header, and no distributed arrays.
TEST(IoCheckpoint, ReadsVersion1) {
  const TemporaryDirectory directory;
  const std::string path = writeSample(directory.path(), 5), intact = readFile(path);
  const std::string payload = intact.substr(512);
  std::string header = fmt::format("mesowarp checkpoint\nversion 1\npayload {:020}\nxxh3-64 {:016x}\n", payload.size(),
                                   XXH3_64bits(payload.data(), payload.size()));
  header.resize(511, ' ');
  writeFile(path, header + '\n' + payload);
  EXPECT_EQ(readCheckpoint(path).numbers.at("step"), 5);
  writeFile(path, header + '\n' + payload.substr(0, payload.size() - 1) + 'x');
  EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(path); }), HasSubstr("does not match its hash"));
}

// Bytes of every block count, and so does where a block stands.
TEST(IoCheckpoint, HashCoversAllBlocks) {
  const TemporaryDirectory directory;
  const std::vector<std::uint8_t> ones(std::size_t{5} << 20, 1);
  const std::string path =
      writeCheckpoint(directory.path(), 5, {{"ones", ElementType::u8, ones.size(), 1, ones.data()}}, {}, {});
  const std::string intact = readFile(path);
  EXPECT_EQ(readCheckpoint(path).arrays.at("ones").rows, ones.size());
  for (std::size_t at = 600; at < intact.size(); at += 500000) {
    std::string altered = intact;
    altered[at] ^= 1;
    writeFile(path, altered);
    EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(path); }), HasSubstr("altered")) << at;
  }
  std::string swapped = intact;
  std::swap_ranges(swapped.begin() + 512, swapped.begin() + 512 + (1 << 20), swapped.end() - (2 << 20));
  std::string shifted = intact;
  std::rotate(shifted.begin() + 512, shifted.begin() + 512 + (1 << 20), shifted.begin() + 512 + (5 << 20));
  for (const auto& content : {swapped, shifted}) {
    writeFile(path, content);
    EXPECT_THAT(messageOf<InputError>([&] { readCheckpoint(path); }), HasSubstr("does not match its hash"));
  }
}

TEST(IoCheckpoint, FailedWriteLeavesTheOlderOnes) {
  const TemporaryDirectory directory;
  const std::string older = writeSample(directory.path(), 5);
  const std::vector<double> big(100000, 1.0);
  const auto write = [&](std::int64_t step) {
    return writeCheckpoint(directory.path(), step, {{"big", ElementType::f64, big.size(), 1, big.data()}}, {}, {});
  };
  for (const rlim_t limit : {0, 600, 2000, 100000, 799000, 803000}) {
    const test::FileSizeLimit guard(limit);
    EXPECT_THAT(messageOf<RunError>([&] { write(10); }), HasSubstr("before it are intact")) << limit;
  }
  EXPECT_THAT(namesIn(directory.path()), testing::ElementsAre("checkpoint-5.h5"));
  EXPECT_EQ(readCheckpoint(older).numbers.at("step"), 5);
  readCheckpoint(write(10));  // and a later one succeeds again
}

TEST(IoCheckpoint, UnwritableDirectoryIsARunError) {
  const TemporaryDirectory directory;
  EXPECT_THAT(messageOf<RunError>([&] { writeSample(directory / "missing", 1); }), HasSubstr("missing"));
  writeFile(directory / "file", "");
  EXPECT_THAT(messageOf<RunError>([&] { writeSample(directory / "file", 1); }), HasSubstr("Not a directory"));
  if (::geteuid() == 0) return;  // root may write anywhere
  fs::permissions(directory.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(messageOf<RunError>([&] { writeSample(directory.path(), 1); }), HasSubstr("Permission denied"));
}

}  // namespace
}  // namespace mesowarp::io
