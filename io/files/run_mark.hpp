// The file .mesowarp in an output directory. It says that the directory is the program's, and a lock on it says that a
// run writes there: an advisory lock of the system (flock), which goes with the process, however that ends.
//
// On a file system without such locks (some network ones), a second file, .mesowarp.lock, is made by the run and
// deleted at its end; one whose process is gone is taken over on the same host, and has to be deleted by hand on
// another.
#pragma once

#include <optional>
#include <string>

#include "io/files/file_system.hpp"

namespace mesowarp::io {

class RunMark {
public:
  static constexpr const char* name = ".mesowarp";
  static constexpr const char* lockName = ".mesowarp.lock";

  // Locks the mark of a directory; nothing if it has none and make is false. Without make nothing is changed. Throws
  // InputError: another run holds it (who, since when), or it cannot be opened.
  static std::optional<RunMark> take(const std::string& directory, bool make);

  RunMark(RunMark&&) = default;
  RunMark& operator=(RunMark&&) = default;
  ~RunMark();

  bool isNew() const { return isNew_; }  // made just now, or by a run that died before it had written a word
  bool ownsDirectory() const { return ownsDirectory_; }      // the directory was made by the program, or was empty
  const std::string& deckHash() const { return deckHash_; }  // of deck.toml as the program wrote it; may be empty

  // Says in the file that a run is going on: host, process, user, since, command.
  void begin(bool ownsDirectory);
  void setDeckHash(const std::string& hash);
  // Says that it has ended, and gives the lock back.
  void end();
  // Deletes the mark: what was to be begun here was not.
  void withdraw();

private:
  RunMark() = default;
  bool lock();
  void lockWithoutSystem();
  void read();
  void write(bool running);
  std::string path() const { return directory_ + "/" + name; }

  std::string directory_, deckHash_, since_;
  FileDescriptor file_;
  bool isNew_ = false, ownsDirectory_ = false, hasBegun_ = false, hasLockFile_ = false;
};

}  // namespace mesowarp::io
