// The few POSIX operations by which a result on disk is either the old one or the new one, never half of it.
// All throw RunError with the path and the system's reason.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace mesowarp::io {

// A file descriptor that closes itself.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const { return descriptor_; }

private:
  int descriptor_ = -1;
};

// Opens with open(2)'s flags; close-on-exec is added.
FileDescriptor openFile(const std::string& path, int flags);

// Writes all of data at the descriptor's position.
void writeAll(const FileDescriptor& file, std::string_view data, const std::string& path);

// size bytes from `address` on; whatever is missing of them is a RunError. What lies where is not the descriptor's
// position, which stays.
void readAll(const FileDescriptor& file, std::uint64_t address, std::span<char> data, const std::string& path);
void writeAllAt(const FileDescriptor& file, std::uint64_t address, std::string_view data, const std::string& path);

// Makes the file this long, and returns only when that has reached the disk.
void truncateDurably(const std::string& path, std::uint64_t length);

// Returns only when the file's (the directory's entries') content has reached the disk.
void syncFile(const std::string& path);
void syncDirectory(const std::string& path);

// Makes sure that the file can have this many bytes, as far as its file system can promise that: a disk that is full, a
// quota or a limit shows here. The file is as long then.
void reserve(const std::string& path, std::uint64_t bytes);

// rename(2), then syncs the directory.
void renameDurably(const std::string& from, const std::string& to);

// Whether a path leads to the directory that a descriptor has open.
bool leadsTo(const std::string& path, int directory);
// rename(2) of a name within a directory that is held open, whatever its path leads to by now; then syncs it.
void renameDurablyWithin(int directory, const std::string& from, const std::string& to);

// Replaces path by content: temporary file beside it, sync, rename. Readers see the old or the new file.
void writeFileAtomically(const std::string& path, std::string_view content);

// Deletes a file, if it is there, and syncs the directory.
void removeDurably(const std::string& path);

// The directory part of a path, "." if it has none.
std::string directoryOf(const std::string& path);

// The system's text for an errno value.
std::string systemText(int code);

}  // namespace mesowarp::io
