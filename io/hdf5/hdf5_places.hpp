// Where in a file a dataset's entries lie, and how several ranks write theirs there. The root alone has the file open
// as HDF5, for it alone may change what describes the file; the others need no more than addresses.
#pragma once

#include <cstdint>
#include <hdf5.h>
#include <mpi.h>
#include <string>
#include <vector>

#include "io/ranks.hpp"

namespace mesowarp::io::hdf5 {

// Entry i of a row (of a dataset) lies at addresses[i / entriesAPiece] + (i % entriesAPiece) * entryBytes.
struct Places {
  std::uint64_t entryBytes = 0, entriesAPiece = 0;
  std::vector<std::uint64_t> addresses;
};

// A file that all ranks write parts of. Construction, destruction and write() are collective, and what fails on one
// rank is thrown on all.
class SharedFile {
public:
  SharedFile(const std::string& path, const comm::Communicator& ranks);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  // Each rank's `count` entries from entry `first` on, of memoryType, as storedType; places: the root's. Throws
  // RunError.
  void write(Places places, std::uint64_t first, std::uint64_t count, hid_t memoryType, hid_t storedType,
             const void* data);
  // Returns when all that was written is on the disk.
  void sync();

private:
  void writeRound(const Places& places, std::uint64_t first, std::vector<char>& entries);

  std::string path_;
  const comm::Communicator& ranks_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace mesowarp::io::hdf5
