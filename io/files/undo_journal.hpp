// How a file that is overwritten in place comes back, byte for byte, to what it was at a checkpoint (its mark): before
// a byte of it is overwritten for the first time since, the old page goes to a journal beside the file and is synced.
// Bytes behind the file's end at the mark need no journal; the file is cut there. HDF5 writes so: its metadata change
// in place, and a kill between two writes leaves a file that it cannot open, or that it goes on with wrongly.
//
// The journal of FILE for the checkpoint of a step is .FILE.undo-STEP: a header, then pages. A page torn by a kill is
// the last one, and the file's own is whole then, so it is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/checkpoint/file_mark.hpp"
#include "io/files/file_system.hpp"

namespace mesowarp::io {

// What a journal's header tells.
struct UndoBase {
  std::int64_t step = 0;   // of the checkpoint
  FileMark mark;           // the file as it was then; of length 0: it was begun anew after that checkpoint
  bool isRebuilt = false;  // by a resumed run: the file is no longer the one that the checkpoint knows
};

class UndoJournal {
public:
  static constexpr std::size_t pageSize = 4096;  // bytes

  // Begins the journal of `path`, in place of an older one of the same step. Throws RunError.
  UndoJournal(const std::string& path, const UndoBase& base);

  // Before [address, address + size) of the file, open as `file`, is overwritten or cut off. Returns 0, or errno: the
  // bytes must then stay as they are.
  int save(int file, std::uint64_t address, std::uint64_t size);

private:
  int append(const std::vector<char>& records);

  FileDescriptor file_;
  std::uint64_t length_;
  std::vector<bool> saved_;  // by page
};

// A journal on disk.
struct StoredJournal {
  struct Page {
    std::uint64_t number = 0;  // of the file's page
    std::uint64_t place = 0;   // of its bytes in the journal
  };
  std::string path;
  UndoBase base;
  std::vector<Page> pages;  // those that are whole
};

// Those of a file, newest first; one without a valid header is left out.
std::vector<StoredJournal> journalsOf(const std::string& path);

// Deletes the file's journals of steps above `step`, newest first; or all of the directory of steps below.
void removeJournalsAfter(const std::string& path, std::int64_t step);
void removeJournalsBefore(const std::string& directory, std::int64_t step);
// All of a directory: a new run must not find those of files that somebody deleted. Throws RunError.
void removeJournals(const std::string& directory);

}  // namespace mesowarp::io
