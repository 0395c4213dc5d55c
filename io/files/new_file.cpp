#include "io/files/new_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/file_kind.hpp"

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuseTaken(const std::string& path) {
  throw InputError(
      fmt::format("{} exists, and may not be mesowarp's: name another file, or add --force to replace it", path));
}

// rename(2) that replaces nothing; where the file system cannot promise that, a hard link does it.
int renameToNew(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  return ::link(from.c_str(), to.c_str()) == 0 ? ::unlink(from.c_str()) : -1;
}

}  // namespace

void requireNewFile(const std::string& path, bool force, const std::string& input) {
  std::error_code error;
  const auto type = fs::symlink_status(path, error).type();
  if (!input.empty() && fs::equivalent(path, input, error))
    throw InputError(fmt::format("{} is the file that is read, {}: name another file for the result", path, input));
  if (type == fs::file_type::not_found) return;
  if (type != fs::file_type::regular && type != fs::file_type::symlink)
    throw InputError(fmt::format("{} {}: name a file for the result", path, whyNoFile(path)));
  if (!force) refuseTaken(path);
}

NewFile::NewFile(const std::string& path, bool force, const std::string& input) : path_(path), force_(force) {
  requireNewFile(path, force, input);
  for (int n = 0;; ++n) {
    temporary_ = fmt::format("{}.{}.tmp", path, ::getpid() + n);
    file_ = FileDescriptor(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file_.get() >= 0) return;
    if (errno != EEXIST) throw RunError(fmt::format("cannot write {}: {}", path, systemText(errno)));
  }
}

NewFile::~NewFile() {
  if (file_.get() >= 0) ::unlink(temporary_.c_str());
}

void NewFile::write(std::string_view text) { writeAll(file_, text, path_); }

void NewFile::finish() {
  syncFile(temporary_);
  if (force_) {
    renameDurably(temporary_, path_);
  } else {
    if (renameToNew(temporary_, path_) != 0) {
      if (errno == EEXIST) refuseTaken(path_);
      throw RunError(fmt::format("cannot write {}: {}", path_, systemText(errno)));
    }
    syncDirectory(directoryOf(path_));
  }
  file_ = FileDescriptor();
}

}  // namespace mesowarp::io
