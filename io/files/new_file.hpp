// A file that the user named for a result. What stands there already is not the program's, as far as it can know.
#pragma once

#include <string>
#include <string_view>

#include "io/files/file_system.hpp"

namespace mesowarp::io {

// Throws InputError if something stands at path and force is not given; whatever is given, if that is a directory, a
// device, a FIFO or a socket, or `input`, the file that is being read (empty: none), by whatever name.
void requireNewFile(const std::string& path, bool force, const std::string& input = "");

// Written beside its place, and put there as a whole by finish(); without that, nothing is left.
class NewFile {
public:
  NewFile(const std::string& path, bool force, const std::string& input = "");  // throws as above; RunError
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  void write(std::string_view text);
  // Syncs, and gives it its name: in the place of what is there only if forced (of a link itself, never of what it
  // leads to). Throws RunError, InputError if somebody was faster.
  void finish();

private:
  std::string path_, temporary_;
  FileDescriptor file_;
  bool force_ = false;
};

}  // namespace mesowarp::io
