#include "io/files/file_system.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/error.hpp"

namespace mesowarp::io {

namespace {

[[noreturn]] void fail(std::string_view what, const std::string& path) {
  const int code = errno;
  throw RunError(fmt::format("cannot {} {}: {}", what, path, systemText(code)));
}

void sync(const std::string& path, int flags) {
  const FileDescriptor file = openFile(path, flags);
  // EINVAL: a file system (some network ones) that cannot sync this kind of file; nothing more can be done there.
  if (::fsync(file.get()) != 0 && errno != EINVAL) fail("flush to disk", path);
}

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileDescriptor openFile(const std::string& path, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC, 0666));
  if (file.get() < 0) fail("open", path);
  return file;
}

void writeAll(const FileDescriptor& file, std::string_view data, const std::string& path) {
  while (!data.empty()) {
    const ssize_t written = ::write(file.get(), data.data(), data.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write", path);
    }
    data.remove_prefix(static_cast<std::size_t>(written));
  }
}

void readAll(const FileDescriptor& file, std::uint64_t address, std::span<char> data, const std::string& path) {
  while (!data.empty()) {
    const ssize_t count = ::pread(file.get(), data.data(), data.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", path);
    if (count == 0) throw RunError(fmt::format("cannot read {}: it is too short", path));
    data = data.subspan(static_cast<std::size_t>(count));
    address += static_cast<std::uint64_t>(count);
  }
}

void writeAllAt(const FileDescriptor& file, std::uint64_t address, std::string_view data, const std::string& path) {
  while (!data.empty()) {
    const ssize_t count = ::pwrite(file.get(), data.data(), data.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("write", path);
    data.remove_prefix(static_cast<std::size_t>(count));
    address += static_cast<std::uint64_t>(count);
  }
}

void truncateDurably(const std::string& path, std::uint64_t length) {
  const FileDescriptor file = openFile(path, O_WRONLY);
  if (::ftruncate(file.get(), static_cast<off_t>(length)) != 0) fail("shorten", path);
  if (::fsync(file.get()) != 0 && errno != EINVAL) fail("flush to disk", path);
}

void syncFile(const std::string& path) { sync(path, O_RDONLY); }

void syncDirectory(const std::string& path) { sync(path, O_RDONLY | O_DIRECTORY); }

// Not posix_fallocate(), which writes to every block where the file system has no such promise.
void reserve(const std::string& path, std::uint64_t bytes) {
  const FileDescriptor file = openFile(path, O_WRONLY);
  while (bytes > 0 && ::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)) != 0) {
    if (errno == EOPNOTSUPP || errno == ENOSYS) return;
    if (errno != EINTR) fail("write", path);
  }
}

void renameDurably(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail(fmt::format("rename {} to", from), to);
  syncDirectory(directoryOf(to));
}

bool leadsTo(const std::string& path, int directory) {
  struct stat open = {}, named = {};
  return ::fstat(directory, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

void renameDurablyWithin(int directory, const std::string& from, const std::string& to) {
  if (::renameat(directory, from.c_str(), directory, to.c_str()) != 0) fail(fmt::format("rename {} to", from), to);
  if (::fsync(directory) != 0 && errno != EINVAL) fail("flush to disk the directory of", to);
}

void writeFileAtomically(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".tmp";
  try {
    {
      const FileDescriptor file = openFile(temporary, O_WRONLY | O_CREAT | O_TRUNC);
      writeAll(file, content, temporary);
      if (::fsync(file.get()) != 0 && errno != EINVAL) fail("flush to disk", temporary);
    }
    renameDurably(temporary, path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void removeDurably(const std::string& path) {
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return;
    fail("delete", path);
  }
  syncDirectory(directoryOf(path));
}

std::string directoryOf(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return directory.empty() ? "." : directory;
}

std::string systemText(int code) { return std::generic_category().message(code); }

}  // namespace mesowarp::io
