// Checkpoints: a flat set of named arrays and texts in one HDF5 file whose 512-byte user block carries
// format version, size and a hash of everything behind it, so that truncation or any altered byte is seen.
// Written to a temporary name, flushed to disk, renamed; the last two are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mesowarp::io {

enum class ElementType { u8, i32, u32, i64, u64, f32, f64 };

std::size_t elementSize(ElementType type);

// A view of a host array, rows x width; not owned.
struct ArrayView {
  std::string name;
  ElementType type;
  std::size_t rows = 0;
  std::size_t width = 1;
  const void* data = nullptr;
};

struct Array {
  ElementType type;
  std::size_t rows = 0;
  std::size_t width = 1;
  std::vector<std::byte> data;
};

struct CheckpointContent {
  std::map<std::string, Array> arrays;
  std::map<std::string, std::string> texts;     // resolved deck, versions, precision, …
  std::map<std::string, std::int64_t> numbers;  // step, last rebuild, counters, …
};

// Writes DIR/checkpoint-<step>.h5. Throws RunError; on failure older checkpoints stand.
std::string writeCheckpoint(const std::string& directory, std::int64_t step, const std::vector<ArrayView>& arrays,
                            const std::map<std::string, std::string>& texts,
                            const std::map<std::string, std::int64_t>& numbers);

// Whether a file begins as a checkpoint does; whether it is intact shows when it is read.
bool looksLikeCheckpoint(const std::string& path);

// Reads and verifies. Throws InputError: what is wrong, and the newest older checkpoint beside it that is intact, if
// any.
CheckpointContent readCheckpoint(const std::string& path);

// The newest checkpoint in a directory by step, without verifying it.
std::optional<std::string> newestCheckpoint(const std::string& directory);

}  // namespace mesowarp::io
