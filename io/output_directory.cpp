#include "io/output_directory.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include "core/error.hpp"

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

bool isResult(std::string_view name) {
  for (const std::string_view known : {"summary.json", "run.log", "thermo.csv", "trajectory.h5", "trajectory.xmf"})
    if (name == known) return true;
  return name.starts_with("checkpoint-") && name.ends_with(".h5");
}

bool holdsResults(const fs::path& directory) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    if (isResult(entry->path().filename().string())) return true;
  if (error)
    throw InputError(fmt::format("output directory {} cannot be read: {}", directory.string(), error.message()));
  return false;
}

// Absolute, without "." or a slash at its end.
fs::path normalized(const std::string& path) {
  if (path.empty()) throw InputError("the name of the output directory is empty");
  fs::path result = fs::absolute(path).lexically_normal();
  return result.has_filename() ? result : result.parent_path();
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

std::string setAside(const fs::path& directory) {
  if (holdsCurrentDirectory(directory))
    throw InputError(fmt::format("output directory {} holds results of an earlier run and is the current directory, so "
                                 "it cannot be renamed; choose another one with --output DIR",
                                 directory.string()));
  fs::path target;
  for (int n = 1; target.empty() || fs::exists(fs::symlink_status(target)); ++n)
    target = fmt::format("{}.{}", directory.string(), n);
  std::error_code error;
  fs::rename(directory, target, error);
  if (error)
    throw InputError(fmt::format("output directory {} holds results of an earlier run and cannot be renamed to {}: {}; "
                                 "choose another one with --output DIR",
                                 directory.string(), target.string(), error.message()));
  return target.string();
}

void requireWritable(const std::string& path, const fs::path& directory) {
  if (!fs::is_directory(directory)) throw InputError(fmt::format("output directory {} is not a directory", path));
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    throw InputError(fmt::format("output directory {} is not writable", path));
}

}  // namespace

OutputDirectory prepareOutputDirectory(const std::string& path) {
  const fs::path directory = normalized(path);
  OutputDirectory output{path, std::nullopt};
  std::error_code error;
  if (fs::is_directory(directory, error) && holdsResults(directory)) output.earlierResults = setAside(directory);
  if (fs::exists(directory, error) && !fs::is_directory(directory, error))
    throw InputError(fmt::format("output directory {} is not a directory", path));
  fs::create_directories(directory, error);
  if (error) throw InputError(fmt::format("output directory {} cannot be created: {}", path, error.message()));
  requireWritable(path, directory);
  return output;
}

OutputDirectory reuseOutputDirectory(const std::string& path) {
  const fs::path directory = normalized(path);
  if (!fs::exists(directory)) throw InputError(fmt::format("output directory {} to resume in does not exist", path));
  requireWritable(path, directory);
  return {path, std::nullopt};
}

}  // namespace mesowarp::io
