// What tells two files of one name apart.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint_header.hpp"
#include "io/files/file_print.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::io {
namespace {

class FilePrint : public testing::Test {
protected:
  std::string print(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    return filePrint(path_);
  }
  // Of a file of so many bytes that begins so and has one other byte.
  std::string printOfLong(const std::string& front, std::uint64_t size, std::uint64_t at) {
    std::ofstream(path_, std::ios::binary) << front;
    std::filesystem::resize_file(path_, size);
    std::fstream(path_, std::ios::binary | std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(at)) << 'x';
    return filePrint(path_);
  }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "file";
};

TEST_F(FilePrint, IsOfLengthAndEveryByte) {
  const std::string text(3'000'000, 'a');
  const std::string expected = print(text);
  EXPECT_EQ(print(text), expected);
  EXPECT_EQ(print("").size(), expected.size());
  EXPECT_NE(print(text + "a"), expected);
  for (const std::size_t at : {std::size_t{0}, std::size_t{1} << 20, text.size() - 1}) {
    std::string other = text;
    other[at] = 'b';
    EXPECT_NE(print(other), expected) << at;
  }
}

TEST_F(FilePrint, OfACheckpointIsOfItsHeader) {
  const auto content = [](std::uint64_t hash, char byte) {
    return formatHeader({checkpointVersion, 4, hash}) + std::string(4, byte);
  };
  EXPECT_EQ(print(content(1, 'a')), print(content(1, 'b')));
  EXPECT_NE(print(content(1, 'a')), print(content(2, 'a')));
  EXPECT_NO_THROW(print(std::string(checkpointMagic)));  // cut short
}

TEST_F(FilePrint, OfALongTrajectoryIsOfItsEnds) {
  const std::string hdf5 = "\x89HDF\r\n\x1a\n";
  const std::uint64_t mebi = 1 << 20, size = 70 * mebi;
  const std::string expected = printOfLong(hdf5, size, 35 * mebi);
  EXPECT_EQ(printOfLong(hdf5, size, 34 * mebi), expected);
  EXPECT_NE(printOfLong(hdf5, size, 31 * mebi), expected);
  EXPECT_NE(printOfLong(hdf5, size, size - 1), expected);
  EXPECT_NE(printOfLong(hdf5, size + 1, 35 * mebi), expected);
  EXPECT_NE(printOfLong("text", size, 35 * mebi), printOfLong("text", size, 34 * mebi));
  EXPECT_NE(printOfLong(hdf5, 60 * mebi, 35 * mebi), printOfLong(hdf5, 60 * mebi, 34 * mebi));
}

TEST_F(FilePrint, NeedsAFile) { EXPECT_THROW(filePrint(directory_ / "none"), RunError); }

}  // namespace
}  // namespace mesowarp::io
