#include "io/host_memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace mesowarp::io {

namespace {

constexpr double boundless = std::numeric_limits<double>::infinity();

// The number behind a word at the start of a line, such as "MemAvailable: 123 kB".
std::optional<double> numberBehind(const std::string& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string first;
    double value = 0.0;
    if (in >> first && first == word && in >> value) return value;
  }
  return std::nullopt;
}

// The number that a file consists of; none if it says "max".
std::optional<double> numberIn(const std::string& path) {
  std::ifstream file(path);
  double value = 0.0;
  if (file >> value) return value;
  return std::nullopt;
}

void take(HostMemory& least, double available, const std::string& limit) {
  if (available < least.available) least = {std::max(0.0, available), limit};
}

// One version of control groups: names of its files.
struct GroupFiles {
  const char *limit, *usage, *inactive, *active;
};
constexpr GroupFiles versionOne{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                                "total_active_file"};
constexpr GroupFiles versionTwo{"memory.max", "memory.current", "inactive_file", "active_file"};

// A group and those it is in, up to the root of the tree. In a container the path may be one of the host's, which is
// not there.
void takeGroups(HostMemory& least, const std::string& tree, std::string path, const GroupFiles& names) {
  for (;; path.resize(path.rfind('/'))) {
    const std::string folder = tree + path + "/";
    const auto limit = numberIn(folder + names.limit), usage = numberIn(folder + names.usage);
    if (limit && usage) {
      const double files = numberBehind(folder + "memory.stat", names.inactive).value_or(0.0) +
                           numberBehind(folder + "memory.stat", names.active).value_or(0.0);
      take(least, *limit - std::max(0.0, *usage - files),
           fmt::format("the limit of {}{} is {:.4g} MiB", folder, names.limit, *limit / 1048576.0));
    }
    if (path.rfind('/') == std::string::npos) return;
  }
}

// Lines "0::/path" are of version 2, lines "4:memory:/path" or "4:cpu,memory:/path" of version 1.
void takeControlGroups(HostMemory& least, const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string path = line.substr(second + 1);
    while (!path.empty() && path.back() == '/') path.pop_back();
    if (controllers == ",,")
      takeGroups(least, root + "/sys/fs/cgroup", path, versionTwo);
    else if (controllers.find(",memory,") != std::string::npos)
      takeGroups(least, root + "/sys/fs/cgroup/memory", path, versionOne);
  }
}

void takeAddressSpace(HostMemory& least) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const double used = numberIn("/proc/self/statm").value_or(0.0) * static_cast<double>(sysconf(_SC_PAGESIZE));
  take(least, static_cast<double>(limit.rlim_cur) - used,
       fmt::format("the limit of address space, ulimit -v, is {:.4g} MiB",
                   static_cast<double>(limit.rlim_cur) / 1048576.0));
}

}  // namespace

HostMemory availableHostMemory(const std::string& root) {
  HostMemory least{boundless, "nothing"};
  const std::string system = root + "/proc/meminfo";
  if (const auto available = numberBehind(system, "MemAvailable:"))
    take(least, 1024.0 * (*available + numberBehind(system, "SwapFree:").value_or(0.0)), "free on this machine");
  takeControlGroups(least, root);
  if (root.empty()) takeAddressSpace(least);
  return least;
}

}  // namespace mesowarp::io
