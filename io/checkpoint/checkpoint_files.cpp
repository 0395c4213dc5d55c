#include "io/checkpoint/checkpoint_files.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "io/files/file_system.hpp"
#include "io/files/undo_journal.hpp"

namespace mesowarp::io {

namespace {

namespace fs = std::filesystem;

// The names in a directory; empty if it cannot be read.
std::vector<std::string> namesIn(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  return names;
}

}  // namespace

std::string checkpointName(std::int64_t step) { return fmt::format("checkpoint-{}.h5", step); }

std::optional<std::int64_t> stepOfCheckpoint(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  constexpr std::string_view prefix = "checkpoint-", suffix = ".h5";
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  std::int64_t step = 0;
  const char* begin = name.data() + prefix.size();
  const char* end = name.data() + name.size() - suffix.size();
  const auto [stop, error] = std::from_chars(begin, std::max(begin, end), step);
  if (error != std::errc() || stop != end || step < 0) return std::nullopt;
  return step;
}

std::vector<CheckpointFile> listCheckpoints(const std::string& directory) {
  std::vector<CheckpointFile> files;
  for (const auto& name : namesIn(directory)) {
    const std::string path = (fs::path(directory) / name).string();
    if (const auto step = stepOfCheckpoint(name); step && whyNoFile(path).empty()) files.push_back({*step, path});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.step > b.step; });
  return files;
}

void deleteOldCheckpoints(const std::string& directory, std::int64_t step) {
  std::error_code ignored;  // what cannot be deleted only takes up room
  std::int64_t oldest = step;
  for (const auto& file : listCheckpoints(directory)) {
    if (file.step >= step) continue;
    if (oldest == step)
      oldest = file.step;
    else
      fs::remove(file.path, ignored);
  }
  try {
    removeJournalsBefore(directory, oldest);
  } catch (const RunError&) {
  }
  for (const auto& name : namesIn(directory))
    if (name.starts_with(".checkpoint-") && name.ends_with(".h5.tmp")) fs::remove(fs::path(directory) / name, ignored);
}

std::vector<std::string> setAsideLaterCheckpoints(const std::string& directory, std::int64_t step) {
  std::vector<std::string> renamed;
  for (const auto& file : listCheckpoints(directory)) {
    if (file.step <= step) continue;
    fs::path target = fs::path(directory) / fmt::format("stale-checkpoint-{}.h5", file.step);
    for (int n = 1; fs::exists(target); ++n)
      target = fs::path(directory) / fmt::format("stale-checkpoint-{}.{}.h5", file.step, n);
    renameDurably(file.path, target.string());
    renamed.push_back(target.string());
  }
  return renamed;
}

}  // namespace mesowarp::io
