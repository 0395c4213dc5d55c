// What a checkpoint knows of an output file: how long it was, and a hash of its end. Both tell whether a file is still
// the one that the checkpoint is of, and whether a power cut took something of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace mesowarp::io {

struct FileMark {
  std::uint64_t length = 0;  // bytes
  std::uint64_t tail = 0;    // XXH3-64 of the last 64 KiB of them
  bool operator==(const FileMark&) const = default;
};

// By the files' names in the output directory.
using FileMarks = std::map<std::string, FileMark>;

// The mark of a file whose first `length` bytes read(address, size, buffer) gives.
FileMark markOf(std::uint64_t length,
                const std::function<void(std::uint64_t address, std::size_t size, char* buffer)>& read);
// Of a file on disk, all of it. Throws RunError.
FileMark markOf(const std::string& path);

// As JSON, for the checkpoint. parseMarks() throws RunError.
std::string formatMarks(const FileMarks& marks);
FileMarks parseMarks(const std::string& text);

}  // namespace mesowarp::io
