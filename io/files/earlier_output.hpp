// An output file of an earlier run, seen from the checkpoint that a run is resumed from: how it comes back to what it
// was then. Looking changes nothing, so that all outputs can be looked at before the first of them is touched.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/files/undo_journal.hpp"

namespace mesowarp::io {

class EarlierOutput {
public:
  enum class State {
    absent,  // missing, empty, or begun anew after the checkpoint: a new file is to be begun
    exact,   // rollBack() brings its bytes back
    rows     // its bytes are not known: rows of later steps are to be dropped
  };
  // How a kind of file changes: one that only grows needs no journal to be cut back.
  enum class Growth { appended, overwritten };

  EarlierOutput() = default;
  // mark: what the checkpoint of `step` knows of the file; nullptr if nothing (it is of an earlier version, or of a run
  // without this output). Throws InputError, with the ways out, if the file has lost something that it had.
  EarlierOutput(const std::string& path, std::int64_t step, const FileMark* mark, Growth growth);

  State state() const { return state_; }
  const std::string& path() const { return path_; }
  // Of the journal that begins when the run goes on with the file (its mark: state `exact` alone).
  UndoBase base() const;

  // State `exact`: restores the overwritten pages, cuts the file and deletes journals of later steps; may be killed and
  // repeated. Throws RunError.
  void rollBack() const;

  // State `absent`, before a new file is begun: notes that it lacks all before, so that the next resume knows, too.
  // State `rows`, before the file is replaced: forgets journals that do not fit the new one. Throws RunError.
  void giveUp() const;

private:
  void check() const;
  void readRolledBack(std::uint64_t address, std::size_t size, char* buffer) const;

  std::string path_;
  std::int64_t step_ = 0;
  State state_ = State::absent;
  FileMark target_;
  bool isRebuilt_ = false;               // by an earlier resume
  std::uint64_t size_ = 0;               // of the file now
  std::vector<StoredJournal> journals_;  // of steps from step_ on, newest first
};

// Runs what reads or cuts an earlier HDF5 file, "trajectory" or "profile": what fails in it is an InputError with the
// ways out.
void withWayOut(const std::string& path, const std::string& what, const std::function<void()>& task);

}  // namespace mesowarp::io
