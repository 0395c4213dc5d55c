// For the tests of io/: directories that vanish, whole files as strings, sample snapshots.
#pragma once

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <sys/resource.h>

#include "io/h5md/snapshot.hpp"

namespace mesowarp::io::test {

class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "mesowarp-io-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

inline std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Removed first: some file systems flush a file that is truncated and written anew, which makes thousands of them slow.
inline void writeFile(const std::string& path, const std::string& content) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << content;
}

// Files may not grow beyond a limit: like a disk that is full, without needing one.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_{};
  void (*handler_)(int);
};

// n particles whose numbers tell frame, particle and axis; bonds 0-1, 2-3, …
inline Snapshot sampleSnapshot(std::size_t n, std::int64_t step) {
  Snapshot s;
  s.step = step;
  s.time = 0.01 * static_cast<double>(step);
  s.box = {10.0, 12.0, 14.0};
  s.periodic = {true, true, false};
  for (std::size_t i = 0; i < n; ++i) {
    s.tag.push_back(static_cast<std::uint32_t>(i));
    s.species.push_back(static_cast<std::int32_t>(i % 2));
    s.mass.push_back(1.0 + 0.5 * static_cast<double>(i % 2));
    for (int axis = 0; axis < 3; ++axis) {
      const double x = 0.1 * static_cast<double>(i) + axis + 0.001 * static_cast<double>(step);
      s.position.push_back(x);
      s.image.push_back(axis - static_cast<int>(i % 3));
      s.velocity.push_back(-x);
      s.force.push_back(2.0 * x);
    }
    if (i % 2 == 1) s.bonds.insert(s.bonds.end(), {static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i)});
  }
  return s;
}

// The message of the exception that the function throws; "" if none.
template <class Exception, class Function>
std::string messageOf(Function&& function) {
  try {
    function();
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace mesowarp::io::test
