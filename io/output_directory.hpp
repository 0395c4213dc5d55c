// The directory that a run writes to. Nothing in it is ever deleted.
#pragma once

#include <optional>
#include <string>

namespace mesowarp::io {

struct OutputDirectory {
  std::string path;
  std::optional<std::string> earlierResults;  // where those of an earlier run went: worth a line in the log
};

// Creates the directory, with its parents. One that holds results of an earlier run (summary.json, run.log, thermo.csv,
// trajectory.h5, trajectory.xmf or a checkpoint) is first renamed to <path>.1, or the next free number. Throws
// InputError if the path is no directory, cannot be created, written to or renamed.
OutputDirectory prepareOutputDirectory(const std::string& path);

// For a resumed run: the directory must exist and be writable; it is left as it is.
OutputDirectory reuseOutputDirectory(const std::string& path);

}  // namespace mesowarp::io
