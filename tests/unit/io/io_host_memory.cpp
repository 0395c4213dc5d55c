// What /proc and control groups say of memory, in folders that stand in for them; and text for terminals.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "input/grammar/printable.hpp"
#include "io/host_memory.hpp"

namespace mesowarp {
namespace {

class HostMemory : public testing::Test {
protected:
  void SetUp() override {
    root_ = (std::filesystem::temp_directory_path() / ("mesowarp_memory_" + std::to_string(::getpid()))).string();
    std::filesystem::remove_all(root_);
    write("/proc/meminfo", "MemTotal: 8000 kB\nMemFree: 10 kB\nMemAvailable:    4000 kB\nSwapFree:  1000 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  double available() const { return io::availableHostMemory(root_).available; }
  std::string limit() const { return io::availableHostMemory(root_).limit; }

  std::string root_;
};

TEST_F(HostMemory, IsWhatTheMachineHas) {
  EXPECT_EQ(available(), 5000.0 * 1024.0);
  EXPECT_EQ(limit(), "free on this machine");
}

TEST_F(HostMemory, IsWhatGroupsOfVersionTwoLeave) {
  write("/proc/self/cgroup", "0::/job/step\n");
  write("/sys/fs/cgroup/job/step/memory.max", "max\n");
  write("/sys/fs/cgroup/job/step/memory.current", "1000\n");
  write("/sys/fs/cgroup/job/memory.max", "2000000\n");
  write("/sys/fs/cgroup/job/memory.current", "1500000\n");
  EXPECT_EQ(available(), 500000.0);
  write("/sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 200000\nactive_file 100000\n");
  EXPECT_EQ(available(), 800000.0) << "files that are kept can go";
  EXPECT_NE(limit().find("/sys/fs/cgroup/job/memory.max"), std::string::npos) << limit();
  write("/sys/fs/cgroup/job/step/memory.max", "1400\n");
  EXPECT_EQ(available(), 400.0);
}

TEST_F(HostMemory, IsWhatGroupsOfVersionOneLeave) {
  write("/proc/self/cgroup", "5:devices:/\n4:cpu,memory:/slurm/job_7\n0::/\n");
  write("/sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "3000000\n");
  write("/sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", "1000000\n");
  write("/sys/fs/cgroup/memory/slurm/job_7/memory.stat", "inactive_file 5\ntotal_inactive_file 500000\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "7000000\n");
  EXPECT_EQ(available(), 2500000.0);
}

// In a container the group's path is one of the host's.
TEST_F(HostMemory, IsThatOfTheTreesRootWhereThePathIsNotThere) {
  write("/proc/self/cgroup", "0::/host/only\n");
  write("/sys/fs/cgroup/memory.max", "1000000\n");
  write("/sys/fs/cgroup/memory.current", "2000000\n");
  EXPECT_EQ(available(), 0.0);
}

TEST(Printable, LeavesTextAlone) {
  const std::string text = "temperature 1.00 ± 0.01, größer\n\t日本 🙂";
  EXPECT_EQ(input::printable(text), text);
}

TEST(Printable, DisarmsWhatATerminalObeys) {
  EXPECT_EQ(input::printable("a\x1B[31m\x07\r\x7F"), "a\\x1B[31m\\x07\\x0D\\x7F");
  EXPECT_EQ(input::printable("\xC2\x9B"
                             "31m"),
            "\\xC2\\x9B31m")
      << "C1, as UTF-8";
  EXPECT_EQ(input::printable("\x9B"
                             "31m \xE2\x82"),
            "\\x9B31m \\xE2\\x82")
      << "no UTF-8";
  EXPECT_EQ(input::printable("\xC0\x9B \xED\xA0\x80 \xF5"), "\\xC0\\x9B \\xED\\xA0\\x80 \\xF5")
      << "overlong, surrogate, beyond";
}

TEST(Printable, CutsWhatIsLong) { EXPECT_EQ(input::printable("abcdefgh", 5), "abcde... (3 more bytes)"); }

}  // namespace
}  // namespace mesowarp
