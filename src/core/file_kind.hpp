// What stands at a path, before it is opened: a FIFO would wait for a writer forever, a device has no end.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace mesowarp {

// Empty if the path is a regular file (also by a symbolic link); else why not, such as "does not exist", "is a
// directory, not a file" or "is a FIFO, not a file".
inline std::string whyNoFile(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code error;
  switch (std::filesystem::status(path, error).type()) {
  case file_type::regular:
    return "";
  case file_type::not_found:
    return "does not exist";
  case file_type::directory:
    return "is a directory, not a file";
  case file_type::fifo:
    return "is a FIFO, not a file";
  case file_type::socket:
    return "is a socket, not a file";
  case file_type::block:
  case file_type::character:
    return "is a device, not a file";
  default:
    return error ? "cannot be read: " + error.message() : "is not a file";
  }
}

}  // namespace mesowarp
