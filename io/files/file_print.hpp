// What tells two files apart without one beside the other.
#pragma once

#include <string>

namespace mesowarp::io {

// A hash of a file's length and contents, always as long. Of a checkpoint its header is read alone, which has a hash of
// the rest; of another HDF5 file of more than 64 MiB, such as a trajectory, its first and its last 32 MiB. Throws
// RunError if it cannot be read.
std::string filePrint(const std::string& path);

}  // namespace mesowarp::io
