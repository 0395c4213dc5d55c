// The directory that a run writes to: of one run at a time, and never at the cost of files that are not the program's.
//
// How it knows its own: a directory with the file .mesowarp (run_mark.hpp) is the program's. One that the program made,
// or that was empty, is set aside as a whole when a new run is to begin in it. In any other directory a run begins only
// if none of the names that it may write is taken. Nothing is ever deleted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/files/file_system.hpp"
#include "io/files/run_mark.hpp"

namespace mesowarp::io {

struct OutputRequest {
  std::string path;
  bool resuming = false;           // go on in it; else begin
  bool force = false;              // move files that are in the way into earlier-1 (or the next free number) in it
  std::vector<std::string> names;  // of files that the run may make, beside the checkpoints
  std::vector<std::string> fronts = {};  // that names of such files begin with
};

class OutputDirectory {
public:
  // Takes the lock, if the directory has a mark, and says no to what can be seen to be wrong. Changes nothing. Throws
  // InputError: another run writes there; files are in the way that are not the program's; it holds results and cannot
  // be renamed; it is no directory, or cannot be written; to resume in: it does not exist.
  explicit OutputDirectory(OutputRequest request);

  // Makes the directory ready: creates it with its parents, or sets aside what is there (as <path>.1, or the next free
  // number), and marks it. Throws as above; InputError, too, if another run came first.
  void begin();

  // What begin() moved, and where to: worth lines in the log.
  const std::vector<std::string>& notes() const { return notes_; }

  // Writes deck.toml, unless it says this already. One that the program did not write, or that somebody has changed
  // since, is kept as deck.1.toml (or the next free number), which notes() tells. Throws RunError.
  void writeDeck(const std::string& text);

  // Throws RunError if the path no longer leads to the directory in which the run began: moved (where to), or deleted.
  void requireInPlace() const;

  // The directory itself, open since begin(); -1 before.
  int handle() const { return opened_.get(); }

  // Where the directory is now: as it was named, if it is there, else by its new path; empty if it was deleted.
  std::string place() const;

private:
  bool exists() const;
  std::vector<std::string> inTheWay() const;
  void inspect() const;
  bool setAside();
  void moveAway(const std::vector<std::string>& names);
  void requireWritable() const;

  OutputRequest request_;
  std::string directory_;  // absolute, without links
  std::optional<RunMark> mark_;
  FileDescriptor opened_;
  std::vector<std::string> notes_;
};

}  // namespace mesowarp::io
