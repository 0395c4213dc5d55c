// Damaged files: each is refused with an InputError or read as what it still says; nothing crashes, hangs or takes
// memory beyond the file's size. The mutations are the same in every run. A checkpoint whose hash was forged to fit is
// not tried here: the hash guards against accidents, and what HDF5 makes of hostile bytes is HDF5's. What the engine
// makes of arrays that say what cannot be is checkpoint_state_fuzz.cpp.
#include <cctype>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/lammps/initial_file.hpp"
#include "tests/unit/io/io_support.hpp"

namespace mesowarp::io {
namespace {

using test::readFile;
using test::TemporaryDirectory;
using test::writeFile;

const std::vector<double> position{0.5, 1.5, 2.5, 3.5, 4.5, 5.5};

std::string writeSample(const std::string& directory) {
  return writeCheckpoint(directory, 7, {{"water/position", ElementType::f64, 2, 3, position.data()}},
                         {{"deck", "[run]\nsteps = 5\n"}}, {{"step", 7}});
}

// "" if the reader refuses the file with an InputError, otherwise what is wrong with that.
std::string acceptance(const std::string& path) {
  try {
    readCheckpoint(path);
  } catch (const InputError&) {
    return "";
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "accepted";
}

class CheckpointFuzz : public testing::Test {
protected:
  TemporaryDirectory directory_;
  std::string path_ = writeSample(directory_.path());
  std::string intact_ = readFile(path_);
  std::mt19937_64 random_{20240607};

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
};

TEST_F(CheckpointFuzz, EverySingleByteFlipIsRefused) {
  ASSERT_LT(intact_.size(), 65536U);
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t offset, char value) {
    file.seekp(static_cast<std::streamoff>(offset)).put(value).flush();
  };
  for (std::size_t offset = 0; offset < intact_.size(); ++offset) {
    std::vector<int> masks{1 << below(8), 0xFF};
    if (offset < 512) masks = {1, 2, 4, 8, 16, 32, 64, 128, 0xFF};  // the header, which no hash covers
    for (const int mask : masks) {
      put(offset, static_cast<char>(intact_[offset] ^ mask));
      ASSERT_EQ(acceptance(path_), "") << "byte " << offset << " xor " << mask;
    }
    put(offset, intact_[offset]);
  }
  file.close();
  EXPECT_EQ(acceptance(path_), "accepted");
}

TEST_F(CheckpointFuzz, EveryTruncationIsRefused) {
  for (std::size_t size = intact_.size(); size-- > 0;) {
    std::filesystem::resize_file(path_, size);
    ASSERT_EQ(acceptance(path_), "") << size << " bytes";
  }
}

TEST_F(CheckpointFuzz, RandomDamageIsRefused) {
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = intact_;
    const std::size_t a = below(damaged.size()), b = below(damaged.size()), length = 1 + below(600);
    switch (below(5)) {
    case 0:
      damaged.erase(a, length);
      break;
    case 1:
      damaged.insert(a, damaged.substr(b, length));
      break;
    case 2:
      damaged.replace(a, length, std::string(length, '\0'));
      break;
    case 3:
      damaged.replace(a, damaged.substr(b, length).size(), damaged.substr(b, length));
      break;
    default:
      for (std::size_t i = 0; i < length && a + i < damaged.size(); ++i) damaged[a + i] = static_cast<char>(random_());
    }
    if (damaged == intact_) continue;
    writeFile(path_, damaged);
    ASSERT_EQ(acceptance(path_), "") << "round " << round;
  }
}

const std::string data =
    "LAMMPS data\n\n4 atoms\n2 bonds\n2 atom types\n1 bond types\n\n-5 5 xlo xhi\n0 10.0 ylo yhi\n"
    "0 2e1 zlo zhi\n\nMasses\n\n1 1.0\n2 2.5\n\nAtoms # molecular\n\n1 1 1 0 0 0 0 0 0\n"
    "2 1 1 1 -1 19 0 0 -1\n3 1 2 5.5 1 2 1 0 0\n4 2 2 1 1 1 0 0 0\n\nVelocities\n\n1 1 2 3\n2 4 5 6\n"
    "3 7 8 9\n4 0 0 0\n\nBonds\n\n1 1 1 2\n2 1 2 3\n";

// What every state that is accepted must satisfy.
void expectConsistent(const FileState& state, const std::string& text) {
  const std::size_t n = state.type.size();
  ASSERT_EQ(state.position.size(), 3 * n) << text;
  ASSERT_EQ(state.image.size(), 3 * n) << text;
  ASSERT_TRUE(state.velocity.empty() || state.velocity.size() == 3 * n) << text;
  for (std::size_t i = 0; i < 3 * n; ++i)
    ASSERT_TRUE(state.position[i] >= 0.0 && state.position[i] < state.box[i % 3]) << text;
  for (const double v : state.velocity) ASSERT_TRUE(std::isfinite(v)) << text;
  for (const auto type : state.type) ASSERT_GE(type, 1) << text;
  for (const auto& bond : state.bonds)
    ASSERT_TRUE(bond.a >= 0 && bond.b >= 0 && bond.a < static_cast<std::int64_t>(n) &&
                bond.b < static_cast<std::int64_t>(n) && bond.a != bond.b)
        << text;
}

class LammpsFuzz : public CheckpointFuzz {
protected:
  // Also through the dispatcher, since damage may make the front look like another kind of file.
  void tryText(const std::string& text) {
    const std::string path = directory_ / "data";
    writeFile(path, text);
    try {
      expectConsistent(readInitialFile(path), text);
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("data"), std::string::npos) << error.what();
    } catch (const std::exception& error) {
      FAIL() << "another exception: " << error.what() << "\n" << text;
    }
  }
};

TEST_F(LammpsFuzz, DamagedBytes) {
  for (std::size_t size = 0; size <= data.size(); ++size) tryText(data.substr(0, size));
  for (std::size_t offset = 0; offset < data.size(); ++offset)
    for (const char c : {'\0', ' ', '\n', '-', '9', '.', 'e', '#', 'x', '\xff'}) {
      std::string text = data;
      text[offset] = c;
      tryText(text);
    }
}

TEST_F(LammpsFuzz, ExtremeWordsAndMovedLines) {
  const std::vector<std::string> extremes{
      "nan",   "inf",   "-1", "0", "1e308", "-1e308", "1e-320", "4294967296", "1.5", "99999999999999999999999",
      "Atoms", "Bonds", "",   "+", "-",     "0x10",   "1e9"};
  std::vector<std::size_t> starts;  // of words
  for (std::size_t i = 1; i < data.size(); ++i)
    if (!std::isspace(data[i]) && std::isspace(data[i - 1])) starts.push_back(i);
  for (const std::size_t start : starts)
    for (const auto& word : extremes) {
      std::string text = data;
      tryText(text.replace(start, data.find_first_of(" \n", start) - start, word));
    }
  for (int round = 0; round < 3000; ++round) {  // lines copied, moved and dropped
    std::string text = data;
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t from = text.rfind('\n', below(text.size())), end = text.find('\n', from + 1);
      if (from == std::string::npos || end == std::string::npos) continue;
      const std::string line = text.substr(from, end - from);
      if (below(2) == 0) text.erase(from, line.size());
      if (below(2) == 0) text.insert(text.find('\n', below(text.size())), line);
      if (text.find('\n') == std::string::npos) break;
    }
    tryText(text);
  }
}

}  // namespace
}  // namespace mesowarp::io
