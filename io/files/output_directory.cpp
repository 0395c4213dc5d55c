#include "io/files/output_directory.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/error.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_files.hpp"

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

// Absolute, without links, "." or a slash at its end; what does not exist yet is as it was given.
std::string resolved(const std::string& path) {
  if (path.empty()) throw InputError("the name of the output directory is empty");
  std::error_code error;
  const fs::path result = fs::weakly_canonical(fs::absolute(path), error);
  if (error) throw InputError(fmt::format("output directory {} cannot be found: {}", path, error.message()));
  return (result.has_filename() ? result : result.parent_path()).string();
}

// The current directory cannot be moved from under the shell (and the deck, often) without confusion.
bool holdsCurrentDirectory(const fs::path& directory) {
  std::error_code error;
  for (fs::path at = fs::current_path(error); !error && !at.empty(); at = at.parent_path()) {
    if (fs::equivalent(at, directory, error)) return true;
    if (at == at.root_path()) break;
  }
  return false;
}

// The first of PATH.1END, PATH.2END, … that is free.
std::string freeName(const std::string& front, const std::string& end) {
  for (int n = 1;; ++n)
    if (std::string name = fmt::format("{}{}{}", front, n, end); !isThere(name)) return name;
}

// But for a mark.
bool holdsNothingElse(const std::string& directory) {
  std::error_code error;
  const fs::directory_iterator entries(directory, error);
  return !error && std::all_of(begin(entries), end(entries), [](const auto& entry) {
    return entry.path().filename().string().starts_with(RunMark::name);
  });
}

bool holdsCheckpoint(const std::string& directory) {
  const auto files = listCheckpoints(directory);
  return std::any_of(files.begin(), files.end(), [](const auto& file) { return looksLikeCheckpoint(file.path); });
}

}  // namespace

OutputDirectory::OutputDirectory(OutputRequest request)
    : request_(std::move(request)), directory_(resolved(request_.path)) {
  std::error_code error;
  const auto type = fs::status(request_.path, error).type();
  if (type != fs::file_type::directory && isThere(request_.path))
    throw InputError(fmt::format("output directory {} is not a directory", request_.path));
  if (request_.resuming && !exists())
    throw InputError(fmt::format("output directory {} to resume in does not exist", request_.path));
  if (!exists()) return;
  requireWritable();
  mark_ = RunMark::take(directory_, false);
  inspect();
}

bool OutputDirectory::exists() const {
  std::error_code error;
  return fs::is_directory(directory_, error);
}

void OutputDirectory::requireWritable() const {
  if (::access(directory_.c_str(), W_OK | X_OK) != 0)
    throw InputError(fmt::format("output directory {} is not writable", request_.path));
}

// Files that a run would write over, or take for its own.
std::vector<std::string> OutputDirectory::inTheWay() const {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(directory_, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (stepOfCheckpoint(name) ||
        std::find(request_.names.begin(), request_.names.end(), name) != request_.names.end() ||
        std::any_of(request_.fronts.begin(), request_.fronts.end(),
                    [&](auto& front) { return name.starts_with(front); }))
      found.push_back(name);
  }
  if (error) throw InputError(fmt::format("output directory {} cannot be read: {}", request_.path, error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

void OutputDirectory::inspect() const {
  const bool isMarked = mark_ && !mark_->isNew();
  if (request_.resuming && (isMarked || holdsCheckpoint(directory_))) return;
  const auto names = inTheWay();
  if (names.empty() || request_.force) return;
  if (!isMarked)
    throw InputError(fmt::format(
        "output directory {} holds {} and no {}, so what is there is not known to be mesowarp's; choose another one "
        "with --output DIR, or let --force move {} into {}/earlier-1",
        request_.path, fmt::join(names, ", "), RunMark::name, names.size() == 1 ? "it" : "them", request_.path));
  if (!mark_->ownsDirectory())
    throw InputError(fmt::format(
        "output directory {} holds results of an earlier run beside files that were there before it, so it is not set "
        "aside as a whole; choose another one with --output DIR, or let --force move the results into {}/earlier-1",
        request_.path, request_.path));
  if (holdsCurrentDirectory(directory_))
    throw InputError(
        fmt::format("output directory {} holds results of an earlier run and is the current directory, so it cannot be "
                    "renamed; choose another one with --output DIR, or let --force move the results into {}/earlier-1",
                    request_.path, request_.path));
}

void OutputDirectory::moveAway(const std::vector<std::string>& names) {
  const std::string target = freeName(directory_ + "/earlier-", "");
  std::error_code error;
  fs::create_directory(target, error);
  for (const auto& name : names)
    if (!error) fs::rename(directory_ + "/" + name, target + "/" + name, error);
  if (error)
    throw InputError(
        fmt::format("files in output directory {} cannot be moved to {}: {}", request_.path, target, error.message()));
  notes_.push_back(fmt::format(
      "{} moved to {}", names.size() == 1 ? names[0] + " was" : fmt::format("{} files were", names.size()), target));
}

// Whether the directory is gone, so that a new one is to be made.
bool OutputDirectory::setAside() {
  const auto names = inTheWay();
  if (names.empty()) return false;
  if (mark_->isNew() || !mark_->ownsDirectory() || holdsCurrentDirectory(directory_)) {
    inspect();  // for files that came since
    moveAway(names);
    return false;
  }
  const std::string target = freeName(directory_ + ".", "");
  std::error_code error;
  fs::rename(directory_, target, error);
  if (error)
    throw InputError(fmt::format("output directory {} holds results of an earlier run and cannot be renamed to {}: {}; "
                                 "choose another one with --output DIR",
                                 request_.path, target, error.message()));
  notes_.push_back("earlier results were moved to " + target);
  mark_.reset();  // its lock goes; the lock of the new directory is another file's
  return true;
}

void OutputDirectory::begin() {
  for (bool again = true; again;) {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error)
      throw InputError(fmt::format("output directory {} cannot be created: {}", request_.path, error.message()));
    requireWritable();
    const bool isEmpty = holdsNothingElse(directory_);
    if (!mark_) mark_ = RunMark::take(directory_, true);
    try {
      again = !request_.resuming && setAside();
    } catch (const InputError&) {
      if (mark_->isNew()) mark_->withdraw();
      throw;
    }
    if (again) continue;
    if (request_.resuming) inspect();
    mark_->begin(mark_->isNew() ? isEmpty : mark_->ownsDirectory());
  }
  opened_ = openFile(directory_, O_RDONLY | O_DIRECTORY);
}

void OutputDirectory::requireInPlace() const {
  const std::string now = place();
  if (now == request_.path) return;
  if (now.empty())
    throw RunError(
        fmt::format("output directory {} was deleted while the run wrote to it, with what was in it", request_.path));
  throw RunError(fmt::format("output directory {} was moved to {} while the run wrote to it; what was written is there",
                             request_.path, now));
}

std::string OutputDirectory::place() const {
  struct stat open = {};
  if (opened_.get() < 0) return request_.path;
  if (::fstat(opened_.get(), &open) != 0) return "";
  if (leadsTo(directory_, opened_.get())) return request_.path;
  if (open.st_nlink == 0) return "";
  std::array<char, 4096> path{};
  const ssize_t count =
      ::readlink(fmt::format("/proc/self/fd/{}", opened_.get()).c_str(), path.data(), path.size() - 1);
  const std::string found = count > 0 ? std::string(path.data(), static_cast<std::size_t>(count)) : "";
  return isThere(found) ? found : "";
}

}  // namespace mesowarp::io
