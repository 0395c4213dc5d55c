// The checkpoints of a directory, by the step in their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mesowarp::io {

struct CheckpointFile {
  std::int64_t step = 0;
  std::string path;
};

std::string checkpointName(std::int64_t step);
std::optional<std::int64_t> stepOfCheckpoint(const std::string& path);

// All checkpoint-<step>.h5 of a directory, that are files, newest first; empty if it cannot be read.
std::vector<CheckpointFile> listCheckpoints(const std::string& directory);

// Deletes all but the checkpoint of this step and the newest one before it, undo journals of steps before these two,
// and temporary files that a run which was killed left behind. Checkpoints of later steps are not touched.
void deleteOldCheckpoints(const std::string& directory, std::int64_t step);

// When a run resumes from step although there are later checkpoints: renames those to stale-checkpoint-<step>.h5
// (stale-checkpoint-<step>.1.h5, … if that exists), so that newestCheckpoint() does not find them. Returns the new
// paths.
std::vector<std::string> setAsideLaterCheckpoints(const std::string& directory, std::int64_t step);

}  // namespace mesowarp::io
